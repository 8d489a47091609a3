import type {ReactElement} from 'react';
import type * as Ink from 'ink';
import type {FrameSize} from '../../../source/terminal/frame-writer.ts';

export type Random = (limit: number) => number;

type Item = {
	readonly id: number;
	readonly name: string;
	readonly state: 'on' | 'off' | 'on~' | '?';
	readonly isMarked: boolean;
	readonly look: number;
};

/** A screen like those of the program: a list with a highlighted row in a window, perhaps details beside it, an overlay over it. */
export type Scene = {
	readonly size: FrameSize;
	readonly items: readonly Item[];
	readonly cursor: number;
	readonly top: number;
	readonly minutes: number;
	readonly hasDetails: boolean;
	/** How far to the right it is. */
	readonly overlay: number | undefined;
	readonly message: string;
};

const words = [
	'morninglights',
	'on',
	'x',
	'a longer name with words',
	'naïve',
	'e\u{301}te\u{301}',
	'漢字',
	'カナ names',
	'한국어',
	'👍',
	'👍🏽 thumbs',
	'👩‍🚀 crew',
	'🇨🇭🇫🇷 door',
	'❤️ heart',
	'–',
	'…',
	'·',
	'wide 日 in it',
	'ｆｕｌｌ',
	'═╪═',
];

const pick = <Choice,>(random: Random, choices: readonly Choice[]): Choice => choices[random(choices.length)]!;

const randomName = (random: Random): string =>
	Array.from({length: 1 + random(3)}, () => pick(random, words)).join(pick(random, [' ', ' ', '  ', '']));

const randomItem = (random: Random, id: number): Item => ({
	id,
	name: randomName(random),
	state: pick(random, ['on', 'off', 'off', 'on~', '?']),
	isMarked: random(6) === 0,
	look: random(6),
});

export function randomSize(random: Random): FrameSize {
	return {columns: 6 + random(60), rows: 1 + random(17)};
}

export function randomScene(random: Random, size: FrameSize): Scene {
	return {
		size,
		items: Array.from({length: random(60)}, (_, id) => randomItem(random, id)),
		cursor: 0,
		top: 0,
		minutes: random(100),
		hasDetails: random(4) === 0,
		overlay: undefined,
		message: '',
	};
}

const listRows = ({size}: Scene): number => Math.max(1, size.rows - 4);

const changeItem = (scene: Scene, index: number, change: Partial<Item>): Scene => ({
	...scene,
	items: scene.items.map((item, position) => (position === index ? {...item, ...change} : item)),
});

/** What may happen, the frequent more than once. */
const changes: ReadonlyArray<(scene: Scene, random: Random) => Scene> = [
	...Array.from({length: 4}, () => (scene: Scene, random: Random) => ({...scene, cursor: scene.cursor + random(2) * 2 - 1})),
	...Array.from({length: 4}, () => (scene: Scene, random: Random) => {
		const distance = (1 + random(4)) * (random(2) * 2 - 1);
		return {...scene, cursor: scene.cursor + distance, top: scene.top + distance};
	}),
	(scene, random) => ({...scene, cursor: scene.cursor + listRows(scene) * (random(2) * 2 - 1)}),
	(scene, random) => ({...scene, top: scene.top + random(5) - 2}),
	(scene, random) => changeItem(scene, scene.cursor, {state: pick(random, ['on', 'off', 'on~'])}),
	(scene, random) => changeItem(scene, scene.top + random(10), {isMarked: random(2) === 0}),
	(scene, random) => changeItem(scene, scene.top + random(10), {name: randomName(random), look: random(6)}),
	(scene, random) => ({...scene, items: scene.items.toSpliced(scene.top + random(8), random(3))}),
	(scene, random) => ({
		...scene,
		items: scene.items.toSpliced(
			scene.top + random(8),
			0,
			...Array.from({length: 1 + random(3)}, () => randomItem(random, random(10_000) + 100)),
		),
	}),
	(scene, random) => ({...scene, minutes: scene.minutes + random(3)}),
	scene => ({...scene, items: scene.items.toSorted((one, other) => one.look - other.look)}),
	scene => ({...scene, hasDetails: !scene.hasDetails}),
	(scene, random) => ({...scene, overlay: random(2) === 0 ? undefined : random(3)}),
	(scene, random) => ({...scene, message: random(2) === 0 ? '' : randomName(random)}),
	(scene, random) => (random(3) === 0 ? randomScene(random, scene.size) : scene),
];

/** The scene after something has happened. */
export function nextScene(scene: Scene, random: Random): Scene {
	return settled(pick(random, changes)(scene, random));
}

/** Moves the window so that the cursor is in it. */
function settled(scene: Scene): Scene {
	const cursor = limited(scene.cursor, scene.items.length - 1);
	const top = limited(limited(scene.top, cursor), scene.items.length - 1);
	return {...scene, cursor, top: Math.max(top, cursor - listRows(scene) + 1)};
}

const limited = (value: number, limit: number): number => Math.max(0, Math.min(value, limit));

export type InkParts = Pick<typeof Ink, 'Box' | 'Text'>;

const stateLooks = {
	on: {color: 'green'},
	off: {dimColor: true},
	'on~': {color: 'yellow', bold: true},
	'?': {color: '#cc6699', italic: true},
} as const;

const nameLooks = [
	{},
	{},
	{underline: true},
	{strikethrough: true, color: 'ansi256(200)'},
	{backgroundColor: 'ansi256(24)'},
	{backgroundColor: '#102030', dimColor: true},
] as const;

/** The scene as elements of an Ink. */
export function drawScene({Box, Text}: InkParts, scene: Scene): ReactElement {
	const {size, items, cursor, top, minutes, hasDetails, overlay, message} = scene;
	const shown = items.slice(top, top + listRows(scene));
	const current = items[cursor];
	return (
		<Box flexDirection="column" width={size.columns} height={size.rows} overflow="hidden">
			<Box justifyContent="space-between">
				<Text bold wrap="truncate">
					{' '}
					Switchboard · {minutes} min
				</Text>
				<Text dimColor wrap="truncate">
					{items.length === 0 ? 'nothing' : `${cursor + 1} of ${items.length}`}
				</Text>
			</Box>
			<Text dimColor wrap="truncate">
				{'state  name'.padEnd(size.columns)}
			</Text>
			<Box flexGrow={1}>
				<Box flexDirection="column" flexGrow={1} flexShrink={1} overflow="hidden">
					{shown.map((item, index) => {
						const isCurrent = top + index === cursor;
						return (
							<Text key={item.id} wrap="truncate" backgroundColor={item.look === 3 && !isCurrent ? 'magenta' : ''}>
								<Text bold={isCurrent} color={isCurrent ? 'cyan' : 'white'}>
									{isCurrent ? ' > ' : item.isMarked ? ' * ' : ' '.repeat(3)}
								</Text>
								<Text {...stateLooks[item.state]} inverse={isCurrent}>
									{item.state.padEnd(5)}
								</Text>
								<Text {...nameLooks[item.look]} bold={isCurrent} inverse={isCurrent}>
									{item.name}
								</Text>
								<Text dimColor>{`   ${minutes + item.id} days`}</Text>
							</Text>
						);
					})}
				</Box>
				{hasDetails && (
					<Box borderStyle="round" width={Math.floor(size.columns / 3)} flexShrink={0} flexDirection="column" overflow="hidden">
						<Text bold wrap="truncate">
							{current?.name ?? 'nothing'}
						</Text>
						<Text wrap="wrap">{`${current?.state ?? ''} ${message}`}</Text>
					</Box>
				)}
			</Box>
			{overlay !== undefined && (
				<Box
					position="absolute"
					marginTop={1}
					marginLeft={3 * overlay}
					width={Math.min(16, size.columns - 6)}
					borderStyle="single"
					flexDirection="column"
				>
					<Text wrap="truncate">{message || 'Sure?'}</Text>
					<Text inverse wrap="truncate">
						{' '}
						yes{' '}
					</Text>
				</Box>
			)}
			<Text wrap="truncate" color="red">
				{message}
			</Text>
			<Text dimColor wrap="truncate">
				space switch / filter ? keys q quit
			</Text>
		</Box>
	);
}
