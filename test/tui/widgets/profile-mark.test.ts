import {assert, test} from '../../helpers/node.ts';
import {profileColors, profileMarks, profileSigns} from '../../../source/tui/state/signs.ts';

/** The colours as terminals come with them: xterm, the Linux console, Windows Terminal, Terminal.app, GNOME before 2020. */
const palettes: Readonly<Record<string, readonly string[]>> = {
	magenta: ['cd00cd', 'aa00aa', '881798', 'd338d3', '75507b'],
	blueBright: ['5c5cff', '5555ff', '3b78ff', '5833ff', '729fcf'],
	green: ['00cd00', '00aa00', '13a10e', '25bc24', '4e9a06'],
	redBright: ['ff0000', 'ff5555', 'e74856', 'fc391f', 'ef2929'],
	magentaBright: ['ff00ff', 'ff55ff', 'b4009e', 'f935f8', 'ad7fa8'],
};

/** The same in Solarized, whose own backgrounds are two of the sixteen colours. */
const solarized: Readonly<Record<string, string>> = {
	magenta: 'd33682',
	blueBright: '839496',
	green: '859900',
	redBright: 'cb4b16',
	magentaBright: '6c71c4',
};

const solarizedBackgrounds = ['002b36', 'fdf6e3'];

/** Relative luminance (WCAG 2.2). */
const luminance = (color: string): number => {
	const [red, green, blue] = [0, 2, 4].map(start => {
		const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
		return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	}) as [number, number, number];
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (first: string, second: string): number => {
	const [darker, lighter] = [luminance(first), luminance(second)].toSorted((one, other) => one - other) as [number, number];
	return (lighter + 0.05) / (darker + 0.05);
};

const isFaint = (color: string, backgrounds: readonly string[]): boolean => backgrounds.some(background => contrast(color, background) < 2);

test('the colours of profiles are legible on black and on white, and in Solarized', () => {
	assert.deepEqual(profileColors.toSorted(), Object.keys(palettes).toSorted());
	const faint = profileColors.flatMap(name =>
		[
			...palettes[name]!.filter(color => isFaint(color, ['000000', 'ffffff'])),
			...[solarized[name]!].filter(color => isFaint(color, solarizedBackgrounds)),
		].map(color => `${name} ${color}`),
	);
	assert.deepEqual(faint, []);
});

test('as long as there are enough, no two profiles share a colour or a sign', () => {
	for (let round = 0; round < 50; round++) {
		const marks = [...profileMarks(Array.from({length: profileColors.length}, (_, index) => `profile-${round}-${index}`)).values()];
		assert.equal(new Set(marks.map(({color}) => color)).size, profileColors.length);
		assert.equal(new Set(marks.map(({sign}) => sign)).size, profileColors.length);
	}
});

test('a profile keeps its mark when others are added, and in every run', () => {
	const names = ['work', 'home.example.com', 'lab', 'École'];
	const all = profileMarks([...names, 'later', 'latest']);
	const before = profileMarks(names);
	assert.deepEqual(
		names.map(name => all.get(name)),
		names.map(name => before.get(name)),
	);
	assert.deepEqual(profileMarks(['work']).get('work'), {sign: '@', color: 'magenta'});
});

test('every profile has a mark, even where there are more profiles than marks', () => {
	const marks = profileMarks(Array.from({length: 30}, (_, index) => `p${index}`));
	const unknown = [...marks.values()].filter(({sign, color}) => !profileSigns.includes(sign) || !profileColors.includes(color));
	assert.deepEqual(unknown, []);
	assert.equal(marks.size, 30);
});

test('a profile that is not stored has none', () => {
	assert.equal(profileMarks(['work']).get('environment'), undefined);
});
