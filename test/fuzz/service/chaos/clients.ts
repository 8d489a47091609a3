import assert from 'node:assert/strict';
import type {SwitchboardError} from '../../../../source/interface/errors.ts';
import type {Agent, InstalledAbility} from '../../../../source/interface/records.ts';
import {zipOf} from '../../../service/sample-forms.ts';
import type {Random} from '../../targets.ts';
import type {Outcome} from './register.ts';
import {switchOf, type World} from './world.ts';

/** One thing that a client does, again and again. */
export type Act = () => Promise<void>;

/** A write that is refused is one that did not arrive, or that there was no room for. */
const assertPassing = (
	{outcome, error}: {readonly outcome: Outcome; readonly error?: SwitchboardError},
	more: readonly string[] = [],
): void =>
	assert.ok(outcome !== 'refused' || ['unreachable', 'rate-limited', 'server-error', ...more].includes(error!.kind), String(error));

/** Switches an installed ability, gives it other phrases, and reads the list. */
export function createSwitcher(world: World, random: Random, first: InstalledAbility): Act {
	const register = world.addSwitch(first);
	let record = first;
	let number = 0;
	let maySwitch = false;
	return async () => {
		if (random(3) === 0) {
			await world.read('installed');
			return;
		}

		// Each number comes with each state once at most, so that all states differ.
		const isSwitch = maySwitch && random(2) === 0;
		const isEnabled = isSwitch ? record.isEnabled !== true : record.isEnabled === true;
		const phrases = isSwitch ? switchOf(record).phrases : [`phrase number ${++number}`];
		const settle = register.write({isEnabled, phrases});
		const answer = await world.write(async client =>
			isSwitch ? client.editInstalled(record, {enabled: isEnabled}) : client.editInstalled(record, {triggers: phrases}),
		);
		const {outcome, result} = answer;
		settle(outcome);
		assertPassing(answer);
		record = result ?? record;
		maySwitch = outcome === 'done' && !isSwitch;
	};
}

/** Writes prompts of an agent, and reads the list. */
export function createEditor(world: World, random: Random, agent: Agent): Act {
	const register = world.addPrompt(agent);
	let number = 0;
	return async () => {
		if (random(3) === 0) {
			await world.read('agents');
			return;
		}

		const prompt = `prompt number ${++number}`;
		const settle = register.write(prompt);
		const answer = await world.write(async client => client.editAgent(agent, {prompt}));
		settle(answer.outcome);
		assertPassing(answer);
	};
}

/** Uploads an ability, then switches and deletes it at the same moment: nothing of it is left. */
export async function createUploader(world: World, random: Random, title: string): Promise<Act> {
	const zip = await zipOf({'lamps/main.py': 'class Lamps:\n    pass\n', 'lamps/__init__.py': ''});
	let number = 0;

	const remove = async (id: number, name: string): Promise<void> => {
		const {outcome, error} = await world.write(async client => client.deleteAbility({id, name}));
		if (outcome !== 'done' && error?.kind !== 'not-found') {
			await remove(id, name);
		}
	};

	return async () => {
		const name = `${title}x${++number}`;
		const uploaded = await world.write(async client =>
			client.uploadAbility({zip, name, description: 'Switches the lamps.', category: 'skill', triggerPhrases: ['lamps on']}),
		);
		assertPassing(uploaded);
		const {outcome} = uploaded;
		const ability = (await world.readSurely('abilities')).find(record => record.name === name);
		assert.ok(outcome !== 'done' || ability !== undefined, `The ability ${name} was uploaded, and is not there`);
		if (ability === undefined) {
			return;
		}

		assert.notEqual(outcome, 'refused', `The ability ${name} was refused, and is there`);
		const {id} = ability;
		const installed = (await world.readSurely('installed')).find(({abilityId}) => abilityId === id);
		assert.ok(installed, `The ability ${name} is there, but not installed`);
		const [toggled] = await Promise.all([
			random(4) === 0
				? world.write(async client => client.uninstallAbility(installed))
				: world.write(async client => client.editInstalled(installed, {enabled: false})),
			remove(id, name),
		]);
		assertPassing(toggled, ['not-found']);
		world.isDeleted(id);
		const late = await world.write(async client => client.editInstalled(installed, {enabled: true}));
		assert.notEqual(late.outcome, 'done', `${name} was switched after it was deleted`);
		await world.readSurely('installed');
		await world.readSurely('abilities');
	};
}
