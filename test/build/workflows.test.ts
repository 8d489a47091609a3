import {assert, assertNone, path, readdirSync, readFileSync, test} from '../helpers/node.ts';
import {pathToFileURL} from 'node:url';
import {build} from 'esbuild';
import {provideTool} from '../../source/build/provide-tool.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

type Parser = {
	parseWorkflow(
		file: {readonly name: string; readonly content: string},
		trace: unknown,
	): {readonly context: {readonly errors: {getErrors(): ReadonlyArray<{readonly message: string}>}}};
	NoOperationTraceWriter: new () => unknown;
};

const folder = path.resolve(import.meta.dirname, '../../.github/workflows');

// Its own modules import JSON in a way that Node.js does not take.
const parserFile = path.join(temporaryFolder(), 'parser.cjs');
await build({
	entryPoints: [path.join(await provideTool('workflows'), 'node_modules/@actions/workflow-parser/dist/index.js')],
	outfile: parserFile,
	bundle: true,
	format: 'cjs',
	platform: 'node',
	logLevel: 'error',
});
const parser = (await import(pathToFileURL(parserFile).href)) as Parser;

function faultsOf(name: string, content: string): readonly string[] {
	const {context} = parser.parseWorkflow({name, content}, new parser.NoOperationTraceWriter());
	return context.errors.getErrors().map(({message}) => message);
}

test('the workflows are ones that GitHub takes', () => {
	const names = readdirSync(folder);
	assert.deepEqual(names.toSorted(), ['packages.yml', 'test.yml']);
	for (const name of names) {
		const content = readFileSync(path.join(folder, name), 'utf8');
		assert.deepEqual(faultsOf(name, content), [], name);
		// What the check is worth.
		assert.notDeepEqual(faultsOf(name, content.replace('runs-on:', 'run-on:')), []);
		assert.notDeepEqual(faultsOf(name, content.replace('${{ ', '${{ unknown.')), []);
	}
});

test('the pipeline of the page on state as code is one that GitHub takes', () => {
	const page = readFileSync(path.resolve(folder, '../../docs/state-as-code.md'), 'utf8');
	const pipelines = [...page.matchAll(/```yaml\n(?<content>name: .*?)```/gs)].map(({groups}) => groups!['content']!);
	assert.equal(pipelines.length, 1);
	assert.deepEqual(faultsOf('home.yml', pipelines[0]!), []);
});

test('a workflow runs no command that package.json does not have', () => {
	const {scripts} = JSON.parse(readFileSync(path.resolve(folder, '../../package.json'), 'utf8')) as {
		readonly scripts: Readonly<Record<string, string>>;
	};
	const used = readdirSync(folder).flatMap(name =>
		[...readFileSync(path.join(folder, name), 'utf8').matchAll(/npm run (?<script>[\w\-:]+)/g)].map(({groups}) => groups!['script']!),
	);
	assertNone(used, script => !Object.hasOwn(scripts, script));
});
