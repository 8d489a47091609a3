import {Buffer} from 'node:buffer';
import {installedFlags, packageOf, showsPhrases} from '../../changes/removals.ts';
import type {KnownRecords} from '../../changes/revert.ts';
import type {PlannedBack} from '../../changes/undo.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import type {JsonObject} from '../../interface/json.ts';
import {rawName, rawPhrases, type InstalledAbility} from '../../interface/records.ts';
import {agentStep} from '../../state/plan-state.ts';
import {setStep, type Step} from '../../state/plan.ts';
import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';

/* The steps that restore uninstalled or deleted abilities. */

/** Returns the steps that restore an ability, without its agents. */
export function stepsBack({former, ability, installed}: PlannedBack, {log, lists}: Service): readonly Step[] {
	const {ability: deleted, installed: was, isAbsent, source} = former;
	const name = rawName(deleted ?? was!);
	const steps: Step[] = [];
	if (deleted !== undefined && ability === undefined) {
		const zip = source !== undefined && 'zip' in source ? log.package(source.zip) : undefined;
		const problem =
			zip === undefined
				? new SwitchboardError('refused', `${former.name} cannot be brought back. Its source is no longer kept.`)
				: undefined;
		const changes = [{kind: 'ability', name, field: 'exists', from: false, to: true} as const];
		steps.push({
			kind: 'create',
			name,
			packed: packageOf(deleted, zip ?? Buffer.of()),
			before: lists().abilities,
			isNotInstalled: isAbsent,
			changes,
			problem,
		});
	} else if (was !== undefined && installed === undefined) {
		const changes = [{kind: 'installed', name, field: 'installed', from: false, to: true} as const];
		steps.push({kind: 'install', name, record: ability!, changes});
	}

	if (was !== undefined) {
		const values = {enabled: was.isEnabled, triggers: showsPhrases(was) ? rawPhrases(was.raw) : undefined};
		for (const [field, value] of Object.entries(values)) {
			if (value !== undefined) {
				steps.push(setStep('installed', installed, {[field]: value}, {name, flags: flagsOf(was)}));
			}
		}
	}

	return steps;
}

/** Returns the steps that give abilities back to their former agents, and warns of agents that are gone. */
export function tiesBack(context: Context, backs: readonly PlannedBack[], {agents, abilities}: KnownRecords): readonly Step[] {
	const ties = backs.flatMap(({former, ability}) =>
		(former.agents ?? []).map(agent => ({agent, tie: {id: ability?.id, name: rawName(former.ability ?? former.installed!)}})),
	);
	const names = new Map(abilities.map(ability => [ability.id, rawName(ability)]));
	return [...Map.groupBy(ties, ({agent}) => agent.id).values()].flatMap(tied => {
		const {agent} = tied[0]!;
		const now = agents.find(({id, name}) => id === agent.id && name === agent.name);
		if (now?.abilityIds === undefined) {
			context.note(`There is no agent ${agent.name} to use ${tied.length === 1 ? 'it' : 'them'}.`, 'warning');
			return [];
		}

		const has = now.abilityIds.map(id => ({id, name: names.get(id) ?? `#${id}`}));
		const wanted = tied.map(({tie}) => tie).filter(({id}) => id === undefined || !now.abilityIds!.includes(id));
		return wanted.length === 0 ? [] : [agentStep(now, {}, [...has, ...wanted], id => names.get(id))];
	});
}

const flagsOf = ({raw}: InstalledAbility): JsonObject =>
	Object.fromEntries(installedFlags.filter(flag => Object.hasOwn(raw, flag)).map(flag => [flag, raw[flag]!]));
