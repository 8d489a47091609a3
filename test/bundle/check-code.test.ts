import {assert, Buffer, test} from '../helpers/node.ts';
import {checkCode, type CodeFinding} from '../../source/bundle/check-code.ts';
import {newAbilityFiles} from '../../source/bundle/new-ability.ts';
import {fieldsOf} from '../helpers/fields-of.ts';

const codeFinding = (file: string, code: string | Uint8Array): readonly CodeFinding[] =>
	checkCode([
		{path: 'README.md', bytes: Buffer.from('')},
		{path: file, bytes: Buffer.from(code)},
	]);

/** Each finding as its line, severity and rule. */
const brief = (findings: readonly CodeFinding[]): readonly string[] =>
	findings.map(({line, severity, rule}) => `${line ?? '-'} ${severity} ${rule}`);

const forbidden = (line: number) => `${line} error forbidden-import`;
const dunder = (line: number) => `${line} error dunder-access`;

/** Python, and the findings in it where it is not the file with which an ability begins. */
const codes: ReadonlyArray<readonly [title: string, code: string, found: readonly string[]]> = [
	['a plain import', 'import socket', [forbidden(1)]],
	['a path', 'import http.client as client', [forbidden(1)]],
	['one of several', 'import os, urllib.parse as p, json', [forbidden(1)]],
	['names from a path', 'from urllib . parse import quote', [forbidden(1)]],
	['several lines in parentheses', 'from http import (\n  HTTPStatus,\n)', [forbidden(1)]],
	['a line that goes on', 'import os, \\\n  socket', [forbidden(2)]],
	['an import after a semicolon', 'x = 1; import trace', [forbidden(1)]],
	['one after a colon', 'try: import socket\nexcept ImportError: import urllib', [forbidden(1), forbidden(2)]],
	['one in a function', 'def f():\n\timport traceback\n', [forbidden(2)]],
	['letters of another form', 'import ſocket', [forbidden(1)]],
	['a module of the ability', 'from . import socket\nfrom .http import x\nfrom ..trace.urllib import y', []],
	['a module whose name begins so', 'import sockets, httpx, tracer\nfrom requests.http import x', []],
	['a part of another path', 'import email.http, os.socket', []],
	['a name in a list of imports', 'from src import (\n  http, socket)', []],
	['text and comments', '"""\nimport socket\n"""\n# import socket\nx = "import http"', []],
	['text with quotes in it', `x = 'it\\'s' """\nimport socket"""\ny = "a\\\\"\nimport http`, [forbidden(4)]],
	['a raw text that ends in a backslash', String.raw`x = r"\"; import socket"` + '\nimport http', [forbidden(2)]],
	['an attribute', 'x = y.__class__', [dunder(1)]],
	['an attribute on the next line', 'x = (y\n  .__dict__)', [dunder(2)]],
	['one by getattr', 'getattr(x, "__globals__")\nsetattr(x.y, \'__code__\', 1)', [dunder(1), dunder(2)]],
	['one in an f-string', `x = f"{y.__class__} {{z.__class__}}"`, [dunder(1)]],
	['nested f-strings', `x = f"{f'{y.__mro__}'}"\ny = f'''{\n z.__bases__!r:>{w.__dict__}}'''`, [dunder(1), dunder(3), dunder(3)]],
	['definitions', 'class A:\n def __init__(self): pass\n __slots__ = ()\n__all__ = []\nif __name__ == "__main__": pass', []],
	['the constructor of the class above', 'super().__init__(x)\nsuper(A, self).__init__()', []],
	['what published abilities have', 'type(e).__name__\nError.__init__(self)', ['1 warning dunder-access', '2 warning dunder-access']],
	['imports of such names', 'from .__version__ import x\nfrom a.__init__ import y\nfrom __future__ import annotations', []],
	['such a text elsewhere', 'x = {"a": 1, "__class__": 2}\nprint(x, "__class__")', []],
	['a number and an attribute', 'x = 1.0.__class__\ny = 1 .real\nz = 0x1f.__class__', [dunder(1), dunder(3)]],
	['windows lines and a byte order mark', '\u{FEFF}import socket\r\nx.__class__\r\n', [forbidden(1), dunder(2)]],
	['old macs', 'x = 1\rimport socket', [forbidden(2)]],
	['a string that does not end', 'x = "abc\nimport socket', ['1 warning unread', forbidden(2)]],
	['a text that does not end', 'import http\nx = """\nimport socket', [forbidden(1), '2 warning unread']],
	['an f-string that does not end', 'x = f"{a} b\nimport http\ny = f"""{', ['1 warning unread', forbidden(2)]],
	['brackets that do not end', 'x = ((\nimport socket', [forbidden(2)]],
	['nothing', '', []],
];

for (const [title, code, found] of codes) {
	test(`code is read: ${title}`, () => assert.deepEqual(brief(codeFinding('lib/other.py', code)).toSorted(), [...found].toSorted()));
}

test('what runs on the device may import what it needs', () => {
	assert.deepEqual(codeFinding('devkit_functions.py', 'import socket'), []);
	assert.deepEqual(brief(codeFinding('lib/devkit_functions.py', 'import socket')), [forbidden(1)]);
	assert.deepEqual(codeFinding('notes.txt', 'import socket'), []);
});

const whole = newAbilityFiles('night-lamp', 'skill').find(({path}) => path === 'main.py')!;
const main = Buffer.from(whole.bytes).toString();

/** Changes to a file that nothing is wrong with, and the warnings that follow. */
const mains: ReadonlyArray<readonly [title: string, code: string, rules: readonly string[]]> = [
	['as it is written', main, []],
	['another spelling of the tag', main.replace('#{{register capability}}', '# {{register_capability}}'), []],
	['a class without bases', main.replace('(MatchingCapability)', ''), ['class']],
	['no attributes', main.replaceAll(' = None', ''), ['worker', 'capability-worker']],
	['no method', main.replace('def call(', 'def calls('), ['call']],
	['a tag in a string', main.replace('#{{register capability}}', '"#{{register capability}}"'), ['register-capability']],
	[
		'a call in a comment',
		main.replace('self.capability_worker.resume_normal_flow()', 'pass # resume_normal_flow()'),
		['resume-normal-flow'],
	],
	[
		'a call outside the class',
		`${main.replace('self.capability_worker.resume_normal_flow()', 'end(self)')}\n\ndef end(ability):\n    ability.capability_worker.resume_normal_flow()\n`,
		['resume-normal-flow'],
	],
	['print', `${main}\nprint("x")\n# print()\nx = "print()"\nprinter = print\n`, ['print']],
	[
		'calls',
		`${main}\nopen("x")\nasyncio . sleep(1)\nhashlib.md5(b"")\neval("1")\npickle.loads(x)\n`,
		Array.from({length: 5}, () => 'blocked-call'),
	],
	['other words', `${main}\nassert x\nimport redis\n`, ['assert', 'blocked-import']],
	['a key', `${main}\nKEY = "sk-${'a1'.repeat(12)}"\n`, ['key']],
];

for (const [title, code, rules] of mains) {
	test(`main.py is read: ${title}`, () => {
		const findings = codeFinding('main.py', code);
		assert.deepEqual(fieldsOf(findings, 'rule'), rules);
		assert.ok(findings.every(({severity, message}) => severity === 'warning' && !message.includes('a1a1')));
	});
}

test('a daemon never has to give the conversation back', () => {
	const background = newAbilityFiles('x', 'background_daemon').find(({path}) => path === 'background.py')!;
	assert.deepEqual(codeFinding('background.py', background.bytes), []);
});

test('a README is missed, and what cannot be read is said', () => {
	assert.deepEqual(brief(checkCode([])), ['- warning readme']);
	assert.deepEqual(brief(codeFinding('a.py', Buffer.from('x = "\u{E9}"; import socket', 'latin1'))), ['- warning unread', forbidden(1)]);
	assert.deepEqual(brief(codeFinding('a.py', Buffer.alloc(1024 * 1024 + 1, 0x28))), ['- warning unread']);
});

test('code of any kind is read in time that grows with its length', () => {
	const parts = [
		'"""',
		"f'{",
		'f"""{x:{',
		'{',
		'(',
		'\\\n',
		'.__a__',
		'import a.',
		'from a ',
		'class A(MatchingCapability):\n',
		'\0',
		'\u{D83D}',
	];
	for (const part of [...parts, parts.join('')]) {
		const code = part.repeat(Math.ceil(50_000 / part.length));
		const startedAt = performance.now();
		codeFinding('main.py', code);
		assert.ok(performance.now() - startedAt < 5000, JSON.stringify(part));
	}
});
