import {findRelease} from '../../client/find-release.ts';
import type {Step, StepOf} from '../../state/plan.ts';
import type {Context} from '../context.ts';
import type {FailedItem} from '../item-outcome.ts';
import {createFromSource} from '../source/create-from-source.ts';
import {releasesOf, sendRelease} from '../source/send-release.ts';
import type {Service} from '../with-service.ts';
import {applySteps} from './apply-steps.ts';
import type {Plan} from './prepare-plan.ts';
import type {StepOutcome} from './step-outcome.ts';

type SourceStep = StepOf<'create'> | StepOf<'release'>;

const message = 'Applied from a state file';

/** Creates abilities and releases new code. If an answer is lost, the list of abilities or the source on the service tells whether it arrived. */
export const applySources = async (
	context: Context,
	service: Service,
	{sources, lists}: Plan,
	steps: readonly SourceStep[],
	blockerOf?: (step: SourceStep) => FailedItem<Step> | undefined,
): Promise<readonly StepOutcome[]> => applySteps(context, steps, {
	doing: 'Sending',
	...(blockerOf !== undefined && {blockerOf}),
	async action(step) {
		const {packed, release} = sources.get(step.entry)!;
		if (step.kind === 'create') {
			await createFromSource(context, service, packed, lists.abilities!);
			return;
		}

		const {ability} = step;
		await sendRelease(context, service, {
			ability, release: release ?? await findRelease(releasesOf(context, service), ability), packed, message,
		});
	},
});
