import {assert, delay, nextTurn} from '../helpers/node.ts';
import {createClient, type Client} from '../../source/client/client.ts';
import {openApiKeys} from '../../source/service/accounts.ts';
import {startService} from '../../source/service/service.ts';
import {isShownEnabled} from '../../source/tui/hooks/switching.ts';
import {createServiceSession, type ServiceSession} from '../../source/tui/hooks/service-session.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';
import {startChaosRelay, type ChaosRelay} from './chaos-relay.ts';
import type {Counts, Random} from './targets.ts';

const sequencesPerRound = 20;

/** Long enough for an honest answer, short enough to give up often. */
const timeoutMilliseconds = 120;

type Tally = {sequences: number; asked: number; done: number; said: number; late: number};

/** A round on a service of its own. Returns how many changes were asked for, done, reported, and undone by late requests. */
export async function chaosRound(random: Random, sequences = sequencesPerRound): Promise<Tally> {
	const dataFolder = temporaryFolder();
	const keys = await openApiKeys(dataFolder);
	const {key: apiKey} = await keys.create();
	await keys.close();
	const service = await startService({location: dataFolder, isSampleWanted: true});
	const relay = await startChaosRelay(service.baseAddress, random);
	const direct = createClient({baseAddress: service.baseAddress, apiKey});
	const tally: Tally = {sequences: 0, asked: 0, done: 0, said: 0, late: 0};
	try {
		for (let count = 0; count < sequences; count++) {
			await runSequence(random, relay, direct, apiKey, tally);
		}
	} finally {
		await relay.close();
		await service.close();
	}

	return tally;
}

/** One sequence of keys on one session; what the screen and the service say at its end must be what was asked for last. */
async function runSequence(random: Random, relay: ChaosRelay, direct: Client, apiKey: string, tally: Tally): Promise<void> {
	/** What was reported since it was asked for, by id. */
	const said = new Map<number, string>();
	const trace: string[] = [];
	const client = createClient({baseAddress: relay.baseAddress, apiKey, timeoutMilliseconds, retries: {reads: 1, writes: 0}});
	/** The histories that are being read: an undo reads one to learn whether somebody else has switched the same since. */
	const historyReads = new Set<Promise<unknown>>();
	const session = createServiceSession({
		client: {
			...client,
			async readHistory(...query) {
				const read = client.readHistory(...query);
				historyReads.add(read);
				return read.finally(() => historyReads.delete(read));
			},
		},
		profileName: 'chaos',
		hostLabel: 'chaos',
		report: {
			onFailed({installed, isWantedEnabled, isOutcomeUnknown, error}) {
				said.set(installed.id, error.message);
				trace.push(`failed ${installed.id} ${isWantedEnabled} ${isOutcomeUnknown} ${error.message}`);
			},
			cursorKey: () => '',
			onStart() {
				/* Says nothing of the outcome. */
			},
			onSwitched(changes) {
				trace.push(`switched ${changes.map(({id}) => id).join(' ')}`);
			},
			confirm: async () => false,
			onProgress() {
				/* It is the same as the summary's. */
			},
			onSummary(_, text) {
				trace.push(`summary ${text}`);
			},
			say(_, text) {
				trace.push(`undo ${text}`);
			},
		},
	});
	await readSurely(session);
	const ids = [...shownBy(session).keys()];
	const asked = new Map<number, boolean>();
	const oneId = (): number => ids[random(Math.min(ids.length, 5))]!;

	const act = (): void => {
		const before = shownBy(session);
		const action = random(12);
		if (action < 5) {
			const id = oneId();
			trace.push(`toggle ${id}`);
			session.changes.switching.toggle(id);
		} else if (action < 7) {
			const many = ids.filter(() => random(3) > 0);
			const isEnabled = random(2) === 0;
			trace.push(`set ${many.join(',')} ${isEnabled}`);
			session.changes.switching.setMany(many, isEnabled);
		} else if (action < 9) {
			trace.push('undo');
			session.changes.undoHistory.undo();
		} else if (action === 9) {
			trace.push('redo');
			session.changes.undoHistory.redo();
		} else if (action === 10) {
			trace.push('retry');
			session.changes.switching.retry();
		} else {
			trace.push('read');
			void readList(session);
		}

		const intents = session.changes.queue.intents('installed', 'enabled');
		for (const [id, state] of shownBy(session)) {
			const wanted = intents.get(id)?.values.enabled;
			if (state === undefined || (wanted === undefined && state === before.get(id))) {
				continue;
			}

			if (asked.get(id) !== state || state !== before.get(id)) {
				said.delete(id);
			}

			asked.set(id, state);
		}
	};

	const {queue} = session.changes;
	let intentsBefore = queue.intents('installed', 'enabled');
	/** An undo that has read the history first begins after its key. */
	const stopNoting = queue.subscribe(() => {
		const intents = queue.intents('installed', 'enabled');
		for (const [id, {values}] of intents) {
			const wanted = values.enabled as boolean;
			if (intentsBefore.get(id)?.values.enabled !== wanted) {
				said.delete(id);
				asked.set(id, wanted);
			}
		}

		intentsBefore = intents;
	});

	relay.setCalm(false);
	const count = 1 + random(14);
	for (let index = 0; index < count; index++) {
		act();
		if (random(3) > 0) {
			await delay(random(30));
		}
	}

	if (random(2) === 0) {
		relay.setCalm(true);
	}

	await queue.whenIdle();
	relay.setCalm(true);
	do {
		await queue.whenIdle();
		await relay.settled();
		await readSurely(session);
		await nextTurn();
	} while (historyReads.size > 0 || queue.intents('installed', 'enabled').size > 0);

	stopNoting();
	const late = idsIn(relay.latePaths);
	const writes = relay.writes.join('\n');
	relay.forget();
	const service = new Map((await direct.list('installed')).records.map(({id, isEnabled}) => [id, isEnabled]));
	const shown = shownBy(session);
	const history = (): string => `${trace.join('\n')}\n\nThe relay:\n${writes}`;
	assert.deepEqual([...shown], [...service], `The screen shows what the service does not have:\n${history()}`);
	tally.sequences++;
	for (const [id, wanted] of asked) {
		tally.asked++;
		if (service.get(id) === wanted) {
			tally.done++;
		} else if (late.has(id)) {
			tally.late++;
		} else {
			assert.ok(said.has(id), `${id} is ${service.get(id)}, was asked to be ${wanted}, and nothing says so:\n${history()}`);
			assert.equal(
				session.changes.switching.getFailures().get(id)?.isWantedEnabled,
				wanted,
				`${id} is not marked as failed:\n${history()}`,
			);
			tally.said++;
		}
	}

	await session.close();
}

/** Reads the list, however long a busy machine takes for it. */
async function readSurely(session: ServiceSession): Promise<void> {
	for (let isRead = false; !isRead; ) {
		try {
			await session.records.readAgain('installed');
			isRead = true;
		} catch {}
	}
}

type Shown = ReadonlyMap<number, boolean | undefined>;

const shownBy = ({records: {seen}, changes: {queue}}: ServiceSession): Shown =>
	new Map((seen('installed') ?? []).map(record => [record.id, isShownEnabled(record, queue.intents('installed', 'enabled'))]));

/** Reads the list as polling does, whatever comes of it. */
async function readList(session: ServiceSession): Promise<void> {
	try {
		await session.records.readAgain('installed');
	} catch {}
}

const idsIn = (latePaths: ReadonlySet<string>): ReadonlySet<number> =>
	new Set([...latePaths].map(path => Number(/(?<id>\d+)\/?$/.exec(path)?.groups!['id'])));

/** Switching under chaos: some 20 sequences a round. */
export async function toggleChaos(random: Random): Promise<Counts> {
	const {sequences, asked, done, said, late} = await chaosRound(random);
	return {sequences, 'changes asked for': asked, done, 'reported as failed': said, 'undone by a late request': late};
}
