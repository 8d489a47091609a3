import {SwitchboardError} from '../interface/errors.ts';
import type {TargetFindings} from '../settings/target.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import type {ProbeResult} from './status/probe.ts';
import {
	explainFor,
	inspectChoice,
	openAccessToLook,
	openClient,
} from './with-service.ts';

/** Asks the service; without a key only for what it shows to everyone. */
const probe = async (context: Context, {address, outcome}: TargetFindings): Promise<ProbeResult | undefined> => {
	const {createObserver, probeService, probeWithoutKey} = await import('./status/probe.ts');
	const observer = createObserver(context);
	context.showProgress('Asking the service …');
	if (!(outcome instanceof SwitchboardError)) {
		const access = await openAccessToLook(outcome);
		try {
			return await probeService(await openClient(context, access, observer.onRequest), observer);
		} finally {
			await access.close();
		}
	}

	return address?.baseAddress === undefined || outcome.kind === 'insecure'
		? undefined
		: probeWithoutKey(await openClient(context, {baseAddress: address.baseAddress, apiKey: undefined}, observer.onRequest), observer);
};

/** Prints all that can be found out, then fails with what is wrong. */
const status = async (context: Context): Promise<void> => {
	const findings = await inspectChoice(context);
	const probed = await probe(context, findings);
	const {printStatus} = await import('./status/report.ts');
	await printStatus(context, findings, probed);
	if (findings.outcome instanceof SwitchboardError) {
		if (probed?.error !== undefined) {
			context.note(probed.error.message);
		}

		throw findings.outcome;
	}

	if (probed?.error !== undefined) {
		throw explainFor(context, findings.outcome)(probed.error);
	}
};

export const defineStatus: DefineCommand = (parent, run) => parent
	.command('status')
	.description('show which service and key are used, where each comes from, and whether they work')
	.addHelpText('after', [
		'',
		'The lists of the service, its check of the key and its own description (OpenAPI)',
		'show which commands work. Nothing is changed to find out.',
	].join('\n'))
	.addHelpText('after', examples(
		['switchboard status', 'the first thing to run when something is wrong'],
		['switchboard status --profile work', 'for another profile'],
		['switchboard status --json | jq .operations.install_ability', 'true, false, or null where it is not known'],
	))
	.action(run(async context => context.finishBeforeExit(status(context))));
