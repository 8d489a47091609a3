import {createIsolatedHome, runCommand} from './kit.ts';
import {after, assert, before, path, readFile, test, writeFile} from '../helpers/node.ts';
import {startLiveLikeService, type LiveLikeService} from '../helpers/live-like-service.ts';
import {provideProgram} from '../helpers/provide-program.ts';
import {completionFolder, inProcessFolder, isShellHere, openShell, type ShellName} from './shells.ts';

const home = createIsolatedHome();
await provideProgram({after}, {folder: inProcessFolder(home), env: home.env});
let service: LiveLikeService;

/** All that a shell might take for its own. */
const hostile = 'Pep\'s "light" $HOME `id` \\ (x) & y; z|<>*?[a]{b,c}#~';

const names = [
	'Straight lamp',
	'strasse',
	'Straße 7',
	'Wow! great',
	'!bang',
	'-dash',
	'a@b home',
	'urn:x=1',
	'#hash',
	'~tilde',
	'$dollar',
	'=eq',
	'長い 名',
	hostile,
];

before(async () => {
	service = await startLiveLikeService();
	service.installed = names.map((name, index) => ({id: index + 1, name, enabled: true}));
	await runCommand(['login', '--base-url', service.baseAddress, '--api-key-stdin', '--profile', 'work'], {
		env: home.env,
		stdin: service.apiKey,
	});
	await runCommand(['installed'], {env: home.env});
	await runCommand(['keys', 'create', '--name', 'laptop key'], {env: home.env});
	await runCommand(['keys', 'create', '--name', 'ci'], {env: home.env});
});

after(async () => service.close());

type Typed = readonly [keys: string, words: readonly string[]];

const toggled = (name: string): readonly string[] => ['toggle', name];

/** What is typed in every shell, with Tab after it, and the words that the program then gets. */
const everywhere: readonly Typed[] = [
	['toggle Wow', toggled('Wow! great')],
	['toggle "Wow', toggled('Wow! great')],
	["toggle 'Wow", toggled('Wow! great')],
	['toggle wow', toggled('Wow! great')],
	[String.raw`toggle \!`, toggled('!bang')],
	['toggle Pep', toggled(hostile)],
	['toggle "Pep', toggled(hostile)],
	["toggle 'Pep", toggled(hostile)],
	['toggle a@', toggled('a@b home')],
	['toggle urn:', toggled('urn:x=1')],
	['toggle urn:x=', toggled('urn:x=1')],
	[String.raw`toggle \#`, toggled('#hash')],
	[String.raw`toggle \~`, toggled('~tilde')],
	[String.raw`toggle \$`, toggled('$dollar')],
	[String.raw`toggle \=`, toggled('=eq')],
	['toggle 長', toggled('長い 名')],
	// What several have in common stays as it is typed; one letter more says which.
	['toggle Stra\ti', toggled('Straight lamp')],
	['toggle -- -d', ['toggle', '--', '-dash']],
	['keys revoke lap', ['keys', 'revoke', 'laptop key']],
	['--profile=w', ['--profile=work']],
	['uninst', ['uninstall']],
];

const dashed: Typed = ['toggle -da', ['toggle', '--', '-dash']];

const typedIn: Readonly<Record<ShellName, readonly Typed[]>> = {
	bash: [...everywhere, dashed, ['toggle "!', toggled('!bang')], ['toggle "urn:x', toggled('urn:x=1')]],
	zsh: [...everywhere, dashed],
	fish: everywhere,
};

async function completeEverything(shell: ShellName): Promise<void> {
	await using terminal = await openShell(shell, home);
	for (const [keys, words] of typedIn[shell]) {
		const mark = terminal.mark();
		const expected = words.map(word => `<${word}>`).join('');
		terminal.write(`switchboard ${keys}\t\r`);
		await terminal.waitFor(() => terminal.bytesSince(mark).toString('utf8').includes(`${expected}\r\n`));
	}
}

async function keepLetters(shell: ShellName): Promise<void> {
	await using terminal = await openShell(shell, home);
	terminal.write('switchboard toggle Stra\t\t');
	const lines = await terminal.waitFor('Strasse');
	assert.match(lines.join('\n'), /switchboard toggle Stra/);
}

/** Where files belong, in arguments and as the values of options. */
const withFiles: readonly string[] = [
	'apply',
	'plan',
	'export',
	'abilities push',
	'abilities upload',
	'abilities pull pantry',
	'ssh-serve --authorized-keys',
	'ssh-serve --host-key',
	'serve --tls-cert',
	'serve --data',
	'agents edit Hearth --prompt-file',
];

async function completeFiles(shell: ShellName): Promise<void> {
	const file = path.join(home.folder, 'wanted-file');
	await writeFile(file, '');
	await using terminal = await openShell(shell, home);
	for (const words of withFiles) {
		const mark = terminal.mark();
		terminal.write(`switchboard ${words} ${file.slice(0, -3)}\t\r`);
		const expected = [...words.split(' '), file].map(word => `<${word}>`).join('');
		await terminal.waitFor(() => terminal.bytesSince(mark).toString('utf8').includes(`${expected}\r\n`));
	}
}

async function completeFromPackage(shell: ShellName): Promise<void> {
	await using terminal = await openShell(shell, home, 'package');
	terminal.write('switchboard toggle Wow\t\r');
	await terminal.waitFor('<toggle><Wow! great>');
}

for (const [shell, file] of [
	['bash', 'switchboard.bash'],
	['zsh', '_switchboard'],
	['fish', 'switchboard.fish'],
] as const) {
	const skip = !isShellHere(shell) && `there is no ${shell} here`;

	test(`${shell} completes names with special characters`, {skip}, async () => completeEverything(shell));

	test(`${shell} keeps the letters that were typed`, {skip}, async () => keepLetters(shell));

	test(`${shell} offers files where a command takes them`, {skip}, async () => completeFiles(shell));

	test(`${shell} completes with the file in the package`, {skip}, async () => completeFromPackage(shell));

	test(`the file for ${shell} in the package is what the command prints`, async () => {
		const {stdout} = await runCommand(['completion', shell], {env: home.env});
		assert.equal(await readFile(path.join(completionFolder, file), 'utf8'), stdout);
	});
}

test('zsh shows the meaning of each candidate', {skip: !isShellHere('zsh') && 'there is no zsh here'}, async () => {
	await using terminal = await openShell('zsh', home);
	terminal.write('switchboard keys revoke \t');
	await terminal.waitFor(/ci +-- account default|laptop key +ci +-- account default/);
	terminal.write('\u{15}switchboard pr\u{8}\u{8}a\t');
	await terminal.waitFor(
		lines => lines.some(line => /^agents +-- list agents$/.test(line)) && lines.some(line => /^abilities +-- list abilities$/.test(line)),
	);
});
