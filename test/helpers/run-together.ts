import {assert, once, process, spawn} from './node.ts';

/**
Runs a script in two processes at the same time, until both have ended well.

@param file - a module below `source`, such as `changes/log.ts`; the script has it as `opened`.
@param script - has its number as `process.argv[1]`.
*/
export async function runTogether(file: string, script: string): Promise<void> {
	const address = new URL(`../../source/${file}`, import.meta.url).href;
	const whole = `const opened = await import(${JSON.stringify(address)});\n${script}`;
	const exits = await Promise.all(
		['1', '2'].map(async name =>
			once(spawn(process.execPath, ['--input-type=module', '--eval', whole, name], {stdio: ['ignore', 'inherit', 'inherit']}), 'exit'),
		),
	);
	assert.deepEqual(exits, [
		[0, null],
		[0, null],
	]);
}
