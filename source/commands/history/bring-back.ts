import {partsLeft, tiesLeft, type PlannedBack} from '../../changes/bring-back.ts';
import type {KnownRecords} from '../../changes/revert.ts';
import {rawName} from '../../interface/records.ts';
import {agentStep} from '../../state/plan-state.ts';
import {setStep, type Step} from '../../state/plan.ts';
import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';

/* The steps that restore uninstalled or deleted abilities. */

/** Returns the steps that restore an ability, without its agents. */
export function stepsBack(planned: PlannedBack, {log, lists}: Service): readonly Step[] {
	const {former, installed} = planned;
	const name = rawName(former.ability ?? former.installed!);
	return partsLeft(planned, log.package).flatMap((part): readonly Step[] => {
		switch (part.kind) {
			case 'upload': {
				const changes = [{kind: 'ability', name, field: 'exists', from: false, to: true} as const];
				const {packed, isNotInstalled, problem} = part;
				return [{kind: 'create', name, packed, before: lists().abilities, isNotInstalled, changes, problem}];
			}

			case 'install': {
				const changes = [{kind: 'installed', name, field: 'installed', from: false, to: true} as const];
				return [{kind: 'install', name, record: part.ability, changes}];
			}

			case 'uninstall': {
				const changes = [{kind: 'installed', name, field: 'installed', from: true, to: false} as const];
				return [{kind: 'uninstall', name, record: part.installed, changes}];
			}

			default: {
				const {values, flags} = part;
				return Object.entries(values)
					.filter(([, value]) => value !== undefined)
					.map(([field, value]) => setStep('installed', installed, {[field]: value}, {name, flags}));
			}
		}
	});
}

/** Returns the steps that give abilities back to their former agents, and warns of agents that are gone. */
export function tiesBack(context: Context, backs: readonly PlannedBack[], {agents, abilities}: KnownRecords): readonly Step[] {
	const names = new Map(abilities.map(ability => [ability.id, rawName(ability)]));
	const {left, gone} = tiesLeft(
		backs.map(({former, ability}) => ({former, id: ability?.id})),
		agents,
	);
	for (const sentence of gone) {
		context.note(sentence, 'warning');
	}

	return left.map(({agent, ties}) => {
		const has = agent.abilityIds!.map(id => ({id, name: names.get(id) ?? `#${id}`}));
		return agentStep(agent, {}, [...has, ...ties], id => names.get(id));
	});
}
