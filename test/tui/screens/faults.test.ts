import {assert, test, type TestContext} from '../../helpers/node.ts';
import {abilityFolder, lamps} from '../../bundle/ability-folder.ts';
import type {ErrorKind} from '../../../source/interface/errors.ts';
import {faultCases, type FaultCase} from '../../helpers/faults.ts';
import {createCertificates, type Certificate} from '../../helpers/certificates.ts';
import {startFaultRelay, type FaultRelay} from '../../helpers/fault-relay.ts';
import {cursorLine, includes, isFresh} from '../helpers/shown.ts';
import {type LiveLikeService, openApp, type RenderedApp, startHome, storedNames, storedState, wide} from '../helpers/kit.ts';

/** One fault for each kind of error and end of a write: the screens tell no more of them apart. The client is tried with all. */
const faultsByEnd = (write: 'toggle' | 'upload'): readonly FaultCase[] =>
	[...Map.groupBy(faultCases, faultCase => `${faultCase.kind} ${faultCase[write]}`).values()].map(([first]) => first!);

type Place = {readonly service: LiveLikeService; readonly relay: FaultRelay; readonly app: RenderedApp};

/** The screens on a service behind a relay that lets everything through as yet. */
async function openPlace(
	t: TestContext,
	{isSlow = false, certificate}: {readonly isSlow?: boolean | undefined; readonly certificate?: Certificate} = {},
): Promise<Place> {
	const service = await startHome(t);
	const relay = await startFaultRelay(t, {target: service, ...(certificate !== undefined && {certificate})});
	const app = await openApp(t, {
		// Without the room in which other lists are read, on connections of their own.
		service: {...service, baseAddress: relay.baseAddress},
		size: {...wide, rows: 17},
		...(isSlow && {timeoutMilliseconds: 2000}),
	});
	return {service, relay, app};
}

const isSettled = (lines: readonly string[]): boolean => lines.every(line => !/^ [ >] (?:on|off)~/.test(line));

/** What the screen says of a toggle that ended so. */
const toggleWords: Readonly<Record<FaultCase['toggle'], RegExp>> = {
	done: /^ > off +pantry/,
	failed: /pantry stays on: /,
	unknown: /It is not known whether pantry is off now: |The list shows pantry on, but the change may still arrive: /,
};

/** What the header says of these, and then no message. */
const headerWords: Readonly<Partial<Record<ErrorKind, string>>> = {
	unreachable: 'unreachable',
	timeout: 'timed out',
	'server-error': 'server error',
	'rate-limited': 'rate-limited',
};

/** True where the lines say it, on one or over several. */
const matches =
	(words: RegExp) =>
	(lines: readonly string[]): boolean =>
		lines.some(line => words.test(line)) || words.test(lines.map(line => line.trim()).join(' '));

type Expected = Pick<FaultCase, 'toggle' | 'says' | 'kind'>;

/** With the fault on the line: the list stays, the screen says why it is not new, keys act, a toggle ends as it must. */
async function useThroughFault({app}: Place, {toggle, kind, says: sentence}: Expected): Promise<void> {
	app.press('r');
	const words = headerWords[kind];
	const lines = await app.shows(matches(words === undefined ? / ! [^·]+, as of \d\d:\d\d/ : new RegExp(` ! ${words}, as of`)));
	assert.ok(includes('nightwatch')(lines), lines.join('\n'));
	if (words === undefined) {
		// A long message is cut: its beginning says enough.
		await app.shows(matches(new RegExp(sentence.source.split(String.raw`\. `, 1)[0]!)));
	}

	await app.press('j').shows(frame => cursorLine(frame)?.includes('pantry') ?? false);
	await app.press('space').shows(isSettled, matches(toggleWords[toggle]));
}

/** Without it: a key reads the list again, and a toggle works. */
async function useAfterwards({app, service}: Place): Promise<void> {
	await app.press('r').shows(isFresh, isSettled);
	await app.press('k', 'space').until(() => storedState(service, 301) === false);
	await app.shows(frame => isSettled(frame) && /^ > off +lamps/.test(cursorLine(frame) ?? ''));
}

const checkOf =
	(faultCase: FaultCase) =>
	async (t: TestContext): Promise<void> => {
		const place = await openPlace(t, faultCase);
		place.relay.put(faultCase.fault);
		await useThroughFault(place, faultCase);
		place.relay.put();
		await useAfterwards(place);
	};

test('the screens stay usable through a fault of every kind, and recover', {concurrency: 6}, async (t: TestContext) => {
	await Promise.all(faultsByEnd('toggle').map(async faultCase => t.test(faultCase.title, checkOf(faultCase))));
});

test('the screens stay usable while the port is closed, and recover', async (t: TestContext) => {
	const place = await openPlace(t);
	await place.relay.refuse();
	await useThroughFault(place, {toggle: 'failed', kind: 'unreachable', says: /could not be reached: connection refused/});
	await place.relay.listen();
	await useAfterwards(place);
});

test('the screens stay usable when a certificate is no longer good, and recover', async (t: TestContext) => {
	const {good, expired} = createCertificates();
	const place = await openPlace(t, {certificate: good});
	place.relay.present(expired);
	await useThroughFault(place, {toggle: 'failed', kind: 'unreachable', says: /The certificate of .*\(CERT_HAS_EXPIRED\)/});
	place.relay.present(good);
	await useAfterwards(place);
});

/** Every sentence that says of an upload that it failed, or what is not known of it. */
const uploadWords: Readonly<Record<'failed' | 'unknown', RegExp>> = {failed: / ! /, unknown: /may still (?:have been uploaded|arrive)/};

const checkUploadOf =
	(faultCase: FaultCase) =>
	async (t: TestContext): Promise<void> => {
		const service = await startHome(t);
		const relay = await startFaultRelay(t, {target: service});
		const app = await openApp(t, {
			service: {...service, baseAddress: relay.baseAddress},
			size: wide,
			screen: 'abilities',
			...(faultCase.isSlow && {timeoutMilliseconds: 2000}),
		});
		await app.press('U').shows('> Path');
		await app
			.paste(await abilityFolder({...lamps, 'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}'}))
			.shows('files, ', '   Name      beacon');
		relay.put(faultCase.fault);
		await app.press('ctrl+s').shows(matches(uploadWords[faultCase.upload as 'failed' | 'unknown']));
		relay.put();
		await app.press('ctrl+s').shows(matches(/beacon is uploaded \(id 25\)/));
		assert.deepEqual(
			storedNames(service, 'abilities').filter(name => name === 'beacon'),
			['beacon'],
		);
	};

// A conflict has its own way on: a new version (ability-upload-outcomes).
test('an upload through a fault of every kind says so, keeps its form, and works without it', {concurrency: 6}, async (t: TestContext) => {
	await Promise.all(
		faultsByEnd('upload')
			.filter(({upload, kind}) => upload !== 'done' && kind !== 'conflict')
			.map(async faultCase => t.test(faultCase.title, checkUploadOf(faultCase))),
	);
});
