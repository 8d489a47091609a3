import {process, type TestContext} from './node.ts';

/** Changes the environment for one test. */
export function setVariables(t: TestContext, variables: Readonly<Record<string, string | undefined>>): void {
	for (const [name, value] of Object.entries(variables)) {
		const before = process.env[name];
		const put = (text: string | undefined): void => {
			if (text === undefined) {
				// eslint-disable-next-line @typescript-eslint/no-dynamic-delete
				delete process.env[name];
			} else {
				process.env[name] = text;
			}
		};

		put(value);
		t.after(() => put(before));
	}
}
