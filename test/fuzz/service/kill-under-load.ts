import {delay, path} from '../../helpers/node.ts';
import {openApiKeys} from '../../../source/service/accounts.ts';
import {temporaryDataFolder} from '../../helpers/temporary-folder.ts';
import {type JsonRecord, paths} from '../../service/running-service.ts';
import type {Counts, Random} from '../targets.ts';
import {checkDatabase} from './check-database.ts';
import {createKillable, type Killable} from './killable.ts';
import {agentSubject, type Ask, codeSubject, installSubject, switchSubject, uploadFormOf, uploadSubject} from './subjects.ts';
import {createWriter, type Subject, type Tally, type Writer} from './writer.ts';

const serveChild = path.resolve(import.meta.dirname, '../../service/serve-child.ts');

const keysChild = path.join(import.meta.dirname, 'create-keys-child.ts');

const apiKey = 'sb_load';

/**
Kills a server, or the program that creates keys, at a random moment while eight clients write as fast as they can. After each
kill every acknowledged write is there, one that was not answered is wholly there or not at all, and the file is sound.

@param serverCount - how many servers share the data folder. One is killed; what they all read afterwards is compared.
*/
export async function killUnderLoad(random: Random, serverCount: number, killCount: number): Promise<Counts> {
	const dataFolder = temporaryDataFolder();
	const servers = Array.from({length: serverCount}, () => createKillable(serveChild, [dataFolder, apiKey]));
	const keyProgram = createKillable(keysChild, [dataFolder]);
	const programs = [...servers, keyProgram];
	const tally: Tally = {acknowledged: 0, unanswered: 0, storedUnanswered: 0, onAcknowledged: undefined};
	try {
		await Promise.all(programs.map(async program => program.start()));
		const subjects = await subjectsOf(servers, keyProgram, dataFolder);
		const writers: Writer[] = [];
		for (const subject of subjects) {
			writers.push(createWriter(subject, await subject.read(), tally));
		}

		for (let kills = 0; kills < killCount; kills++) {
			const running = Promise.all(writers.map(async writer => writer.run()));
			await Promise.race([nextWrites(tally, 10 + random(40)), running]);
			await delay(random(12));
			const victim = programs[random(4) === 0 ? programs.length - 1 : random(serverCount)]!;
			await victim.kill();
			for (const writer of writers) {
				writer.stop();
			}

			await running;
			if (serverCount > 1) {
				await checkAll(writers);
			}

			await victim.start();
			await checkAll(writers);
			checkDatabase(dataFolder);
		}
	} finally {
		await Promise.all(programs.map(async program => program.kill()));
	}

	return {
		kills: killCount,
		'writes acknowledged': tally.acknowledged,
		'writes cut off': tally.unanswered,
		'of those stored whole': tally.storedUnanswered,
		lost: 0,
	};
}

async function subjectsOf(
	servers: readonly Killable[],
	keyProgram: Killable,
	dataFolder: string,
): Promise<ReadonlyArray<Subject<unknown>>> {
	const asks = Array.from({length: 7}, (_value, index) => askVia(servers, index % servers.length));
	const [first] = asks as [Ask];
	const [[one, two], [agent], released, installed] = [
		await read(first, paths.installed),
		await read(first, paths.agents),
		await upload(first, 'released'),
		await upload(first, 'installed'),
	];
	const release = (await read(first, paths.abilities)).find(({id}) => id === released)!['capability_versions'] as readonly JsonRecord[];
	return [
		switchSubject(asks[0]!, one!['id']),
		switchSubject(asks[1]!, two!['id']),
		uploadSubject(asks[2]!, 'small', 0),
		uploadSubject(asks[3]!, 'large', 600_000),
		codeSubject(asks[4]!, released, release[0]!['id']),
		agentSubject(asks[5]!, agent!['id'], [released, installed]),
		installSubject(asks[6]!, installed),
		keySubject(keyProgram, dataFolder),
	] as ReadonlyArray<Subject<unknown>>;
}

/** Each client has a server of its own, and goes to another one while that is down. */
const askVia =
	(servers: readonly Killable[], index: number): Ask =>
	async (method, where, body) => {
		const server = servers[index]!.isRunning ? servers[index]! : (servers.find(({isRunning}) => isRunning) ?? servers[index]!);
		const isForm = body instanceof FormData;
		return fetch(server.greeting + where, {
			method,
			headers: {'x-api-key': apiKey, ...(body !== undefined && !isForm && {'content-type': 'application/json'})},
			...(body !== undefined && {body: isForm ? body : JSON.stringify(body)}),
		});
	};

const read = async (ask: Ask, where: string): Promise<readonly JsonRecord[]> =>
	(await ask('GET', where)).json() as Promise<readonly JsonRecord[]>;

async function upload(ask: Ask, name: string): Promise<unknown> {
	const response = await ask('POST', paths.upload, await uploadFormOf(name, 1));
	return ((await response.json()) as JsonRecord)['capability_id'];
}

const keySubject = (program: Killable, dataFolder: string): Subject<readonly string[]> => ({
	title: 'a created key',
	next: names => [...names, `key number ${names.length}`],
	async write(names) {
		await program.ask(names.at(-1)!);
		return 200;
	},
	async read() {
		const keys = await openApiKeys(dataFolder);
		const names = (await keys.list()).filter(({account}) => account === 'commands').map(({name}) => name);
		await keys.close();
		return names;
	},
});

/** Resolves once so many more writes are acknowledged. */
async function nextWrites(tally: Tally, count: number): Promise<void> {
	const goal = tally.acknowledged + count;
	return new Promise(resolve => {
		tally.onAcknowledged = () => {
			if (tally.acknowledged >= goal) {
				resolve();
			}
		};
	});
}

async function checkAll(writers: readonly Writer[]): Promise<void> {
	for (const writer of writers) {
		await writer.check();
	}
}
