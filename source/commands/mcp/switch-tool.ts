import {type Static, Type} from 'typebox';
import {findInstalled} from '../find-installed.ts';
import {readList} from '../read-list.ts';
import {stateAfter, type SwitchOutcome} from '../switch-report.ts';
import {switchingTo, switchRecords} from '../switch.ts';
import {failureOf} from './failure-of.ts';
import {commonOutput, errorSchema, toToolError} from './results.ts';
import {shownName} from './shown-records.ts';
import {closedObject, defineTool} from './tool.ts';

const outcomeSchema = Type.Object({
	installed_cap_id: Type.Integer(),
	name: Type.String(),
	enabled: Type.Unsafe<boolean | null>({type: ['boolean', 'null'], description: 'Whether it is on now; null if that is not known.'}),
	changed: Type.Unsafe<boolean | null>({type: ['boolean', 'null'], description: 'False if it was so before or the change failed; null if the change was sent and may still take effect.'}),
	error: Type.Optional(errorSchema),
});

const toOutcome = (outcome: SwitchOutcome): Static<typeof outcomeSchema> => {
	const {isEnabled, isChanged} = stateAfter(outcome);
	return {
		installed_cap_id: outcome.item.id,
		name: shownName(outcome.item),
		enabled: isEnabled ?? null,
		changed: isChanged ?? null,
		...('error' in outcome && {error: toToolError(outcome.error)}),
	};
};

export const switchTool = defineTool({
	name: 'switch_installed',
	title: 'Switch installed abilities on or off',
	description: 'Switches installed abilities on or off, and returns the outcome of each. Nothing is changed unless all are found. An ability that is already in that state is left alone.',
	isWriting: true,
	input: closedObject({
		installed: Type.Array(Type.String({minLength: 1, maxLength: 200}), {minItems: 1, maxItems: 200, description: 'Ids, or names in any case.'}),
		enabled: Type.Boolean({description: 'True to switch them on, false to switch them off.'}),
	}),
	output: Type.Object({outcomes: Type.Array(outcomeSchema), error: Type.Optional(errorSchema), ...commonOutput}),
	async run({context, service}, {installed, enabled}) {
		const records = await findInstalled(context, service, await readList(context, service, 'installed'), installed);
		const outcomes = await switchRecords(context, service, switchingTo(enabled), records);
		return {output: {outcomes: outcomes.map(outcome => toOutcome(outcome))}, error: failureOf(outcomes, 'switched', ({isChanged}) => isChanged ? 'switched' : 'unchanged')};
	},
});
