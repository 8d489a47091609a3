import {startFiles} from '../interface/ability-package/check-files.ts';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import {readPythonTokens, type PythonToken} from './python-tokens.ts';

/*
The known rules for code that the public service refuses, and the questions of the community's validator. The source of each rule is in
`docs/abilities.md`.
*/

/** A place in the files of an ability that the service refuses (`error`), or that the community's validator complains about. */
export type CodeFinding = {
	readonly severity: 'error' | 'warning';
	readonly rule: string;
	/** Its path in the ability; null for a missing file. */
	readonly file: string | null;
	/** From 1; null for the whole file. */
	readonly line: number | null;
	readonly message: string;
};

/** Runs on the user's device, where it may do things that other files may not. */
const deviceFile = 'devkit_functions.py';

/** Far more than the code of an ability has; the tokens of larger files would take much memory. */
const maximumCodeBytes = 1024 * 1024;

/** The service names `traceback` after the module that it mistakes it for. */
const forbiddenModules = new Set(['urllib', 'http', 'socket', 'trace', 'traceback']);

const isSymbol = (token: PythonToken | undefined, text: string): boolean =>
	token?.text === text && (token.kind === 'name' || token.kind === 'operator');

const dunder = /^__\w+__$/;

/** Working abilities have these; whether the service refuses them in some places is not known. */
const toleratedAttributes = new Set(['__init__', '__name__']);

const attributeFunctions = new Set(['getattr', 'setattr', 'hasattr', 'delattr']);

/** Sequences of symbols that the validator complains about, with the remedy. */
const unwanted: ReadonlyArray<readonly [rule: string, symbols: string, advice: string]> = [
	['print', 'print (', 'Use self.worker.editor_logging_handler instead of print().'],
	['blocked-call', 'asyncio . sleep (', 'Use self.worker.session_tasks.sleep() instead of asyncio.sleep().'],
	['blocked-call', 'asyncio . create_task (', 'Use self.worker.session_tasks.create() instead of asyncio.create_task().'],
	['blocked-call', 'open (', 'Use the file functions of the capability worker instead of open().'],
	['blocked-call', 'hashlib . md5 (', 'Use another hash than MD5, such as SHA-256.'],
	...['exec', 'eval'].map(name => ['blocked-call', `${name} (`, `The validator takes no ${name}().`] as const),
	...['pickle', 'dill', 'shelve', 'marshal'].map(name => ['blocked-call', `${name} .`, `The validator takes no ${name}.`] as const),
	...['redis', 'user_config'].map(name => ['blocked-import', name, `The validator takes no ${name}.`] as const),
	['assert', 'assert', 'Handle the case instead of using assert.'],
];

const holds = (tokens: readonly PythonToken[], symbols: string): boolean => findAll(tokens, symbols).length > 0;

const keyPattern = /^(?:sk[_-]|key_)[\da-z]{20,}$/i;

const tag = /^#\s?\{\{register[ _]capability\}\}/;

/** The parts of an ability's class, each with the first file that does not need it. */
const classParts: ReadonlyArray<
	readonly [rule: string, isThere: (body: readonly PythonToken[]) => boolean, message: string, onlyIn?: string]
> = [
	['worker', body => holds(body, 'worker : AgentWorker = None'), 'The class has no attribute “worker: AgentWorker = None”.'],
	[
		'capability-worker',
		body => holds(body, 'capability_worker : CapabilityWorker = None'),
		'The class has no attribute “capability_worker: CapabilityWorker = None”.',
	],
	['call', body => holds(body, 'def call ('), 'The class has no method call().'],
	[
		'register-capability',
		body => body.some(({kind, text}) => kind === 'comment' && tag.test(text)),
		'The class has no comment “#{{register capability}}”, which the service replaces by code.',
	],
	[
		'resume-normal-flow',
		body => holds(body, 'resume_normal_flow ('),
		'The class never calls resume_normal_flow(), without which the agent goes on listening to the ability alone.',
		'main.py',
	],
];

/**
Checks the files of an ability without running or uploading anything. An empty answer does not mean that the ability works, or that the
service accepts it.

@param files - without the files that stay out of packages; their paths are relative to the ability's folder.
*/
export function checkCode(files: readonly PackageFile[]): readonly CodeFinding[] {
	const readme: readonly CodeFinding[] = files.some(({path}) => path === 'README.md')
		? []
		: [{severity: 'warning', rule: 'readme', file: null, line: null, message: 'README.md is missing.'}];
	const code = files.filter(({path}) => path.endsWith('.py') && path !== deviceFile);
	return [...readme, ...code.flatMap(file => checkFile(file))];
}

function checkFile({path, bytes}: PackageFile): readonly CodeFinding[] {
	const unread = (message: string): CodeFinding => ({severity: 'warning', rule: 'unread', file: path, line: null, message});
	if (bytes.byteLength > maximumCodeBytes) {
		return [unread('The file is larger than 1 MB, and was not checked.')];
	}

	const text = new TextDecoder().decode(bytes);
	const tokens = readPythonTokens(text);
	const unclosed = tokens.find(({kind}) => kind === 'unclosed');
	const symbols = tokens.filter(({kind}) => kind !== 'comment');
	const imports = readImports(symbols);
	const found = [
		...checkImports(imports),
		...checkDunders(symbols, imports),
		...(startFiles.some(start => start === path) ? [...checkClasses(tokens, path), ...checkCalls(symbols), ...checkKeys(symbols)] : []),
	];
	return [
		...(text.includes('\u{FFFD}') ? [unread('The file is not UTF-8, so some of it may have been misread.')] : []),
		...found.map(({severity, rule, token, message}): CodeFinding => ({severity, rule, file: path, line: token?.line ?? null, message})),
		...(unclosed === undefined
			? []
			: [{...unread('A string begins here that does not end, so code after it may not have been checked.'), line: unclosed.line}]),
	].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

type Imports = {
	/** The first names of all modules: `a` for `from a.b import c`, `a` and `d` for `import a.b, d`. */
	readonly modules: readonly PythonToken[];
	/** The parts of paths between `from` and `import`. */
	readonly parts: ReadonlySet<PythonToken>;
};

function readImports(tokens: readonly PythonToken[]): Imports {
	const modules: PythonToken[] = [];
	const parts = new Set<PythonToken>();
	for (const [at, token] of tokens.entries()) {
		if (!isSymbol(token, 'import')) {
			continue;
		}

		let first = at;
		while (isSymbol(tokens[first - 1], '.') || (tokens[first - 1]?.kind === 'name' && !/^(?:from|import)$/.test(tokens[first - 1]!.text))) {
			parts.add(tokens[--first]!);
		}

		if (isSymbol(tokens[first - 1], 'from')) {
			modules.push(tokens[first]!);
			continue;
		}

		for (let next = at; isSymbol(tokens[next], next === at ? 'import' : ','); ) {
			modules.push(tokens[++next]!);
			while (isSymbol(tokens[next], '.') || (tokens[next]?.kind === 'name' && !isSymbol(tokens[next], 'import'))) {
				next++;
			}
		}
	}

	return {modules, parts};
}

type Found = Pick<CodeFinding, 'severity' | 'rule' | 'message'> & {readonly token: PythonToken | undefined};

const checkImports = ({modules}: Imports): readonly Found[] =>
	modules
		// A path that begins with a dot is in the ability itself.
		.filter(({kind, text}) => kind === 'name' && forbiddenModules.has(text))
		.map(token => ({
			severity: 'error',
			rule: 'forbidden-import',
			token,
			message: `The service refuses to import ${token.text}. For requests over the network, requests is accepted.`,
		}));

const checkDunders = (tokens: readonly PythonToken[], {parts}: Imports): readonly Found[] =>
	tokens.flatMap((token, at): readonly Found[] => {
		const isAttribute = token.kind === 'name' && isSymbol(tokens[at - 1], '.') && !parts.has(token);
		const isAccess = dunder.test(token.text) && (isAttribute || (token.kind === 'string' && namesAttribute(tokens, at)));
		if (!isAccess || (token.text === '__init__' && isOfSuper(tokens, at))) {
			return [];
		}

		const isTolerated = toleratedAttributes.has(token.text);
		return [
			{
				severity: isTolerated ? 'warning' : 'error',
				rule: 'dunder-access',
				token,
				message: isTolerated
					? `The service may refuse access to ${token.text}, as it does for other names of this form.`
					: `The service refuses access to attributes such as ${token.text}.`,
			},
		];
	});

/** The argument of `getattr(object, "__class__")` and the like, if the object is a short expression. */
const namesAttribute = (tokens: readonly PythonToken[], at: number): boolean =>
	isSymbol(tokens[at - 1], ',') &&
	tokens
		.slice(Math.max(0, at - 12), at)
		.some(({kind, text}, index, before) => kind === 'name' && attributeFunctions.has(text) && isSymbol(before[index + 1], '('));

/** True for the `__init__` of `super().__init__(…)`, which every derived class needs. */
const isOfSuper = (tokens: readonly PythonToken[], at: number): boolean =>
	/super\((?:\w+,\w+)?\)\.$/.test(
		tokens
			.slice(Math.max(0, at - 7), at)
			.map(({text}) => text)
			.join(''),
	);

/** Returns the findings about the class of an ability, in one of its start files. */
function checkClasses(tokens: readonly PythonToken[], file: string): readonly Found[] {
	const bodies = statements(tokens).filter(
		statement =>
			isSymbol(statement[0], 'class') &&
			statement
				.slice(
					0,
					statement.findIndex(token => isSymbol(token, ':')),
				)
				.some(token => isSymbol(token, 'MatchingCapability')),
	);
	if (bodies.length === 0) {
		return [{severity: 'warning', rule: 'class', token: undefined, message: 'No class extends MatchingCapability.'}];
	}

	return bodies.flatMap(body =>
		classParts
			.filter(([, isThere, , onlyIn = file]) => onlyIn === file && !isThere(body))
			.map(([rule, , message]): Found => ({severity: 'warning', rule, token: body[0], message})),
	);
}

/** Returns the statements at the outermost level, each with its body. */
function statements(tokens: readonly PythonToken[]): ReadonlyArray<readonly PythonToken[]> {
	const starts = tokens.flatMap(({kind, column}, at) =>
		column === 0 && !['newline', 'comment'].includes(kind) && (tokens[at - 1] ?? {kind: 'newline'}).kind === 'newline' ? [at] : [],
	);
	return starts.map((start, index) => tokens.slice(start, starts[index + 1]));
}

const checkCalls = (tokens: readonly PythonToken[]): readonly Found[] =>
	unwanted.flatMap(([rule, symbols, message]) =>
		findAll(tokens, symbols).map((token): Found => ({severity: 'warning', rule, token, message})),
	);

/** Returns the first token of each match of these symbols, which are separated by spaces. */
function findAll(tokens: readonly PythonToken[], symbols: string): readonly PythonToken[] {
	const words = symbols.split(' ');
	return tokens.filter((_token, at) => words.every((word, index) => isSymbol(tokens[at + index], word)));
}

const checkKeys = (tokens: readonly PythonToken[]): readonly Found[] =>
	tokens
		.filter(({kind, text}) => kind === 'string' && keyPattern.test(text))
		.map(token => ({severity: 'warning', rule: 'key', token, message: 'This looks like an API key. Put a placeholder in its place.'}));
