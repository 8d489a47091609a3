import {Argument} from 'commander';
import {cleanLines} from '../interface/clean-text.ts';
import {apiKeyField, bodyKeyFolder, descriptionPath, endpoints, fillPath} from '../interface/endpoints.ts';
import {SwitchboardError, toSwitchboardError, unknownOutcomeError} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import {isJsonObject, parseJson, stringifyJson} from '../interface/json.ts';
import {toRawRequest, type RawRequest} from '../interface/raw-request.ts';
import {writeOnce} from './change-items.ts';
import type {DefineCommand} from './command.ts';
import {isForPerson, printJsonOr, refuseReadOnly, type Context} from './context.ts';
import {requireYes} from './input/confirm.ts';
import {readTextFile, standardInput} from './input/read-text.ts';
import {dryRunOption, parseChoice} from './options.ts';
import {withService, type Service} from './with-service.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type ApiOptions = {readonly input?: string};

/** Returns the body, which is sent as it is. The key is added where it belongs into the body. */
async function readBody(context: Context, {method, auth}: RawRequest, {input}: ApiOptions): Promise<string | undefined> {
	if (input === undefined) {
		return undefined;
	}

	if (method === 'GET') {
		throw new SwitchboardError('usage', 'A GET request has no body.', {nextStep: 'Leave out --input, or use another method.'});
	}

	const text = await context.waitFor(async () => readTextFile(context, input, 'the command without --input'));
	const value = parseJson(text);
	const what = input === standardInput ? 'Standard input' : `“${input}”`;
	if (value === undefined) {
		throw new SwitchboardError('usage', `${what} is not JSON. Nothing was sent.`, {nextStep: 'Send JSON, such as {"enabled": true}.'});
	}

	if (auth === 'body' && (!isJsonObject(value) || Object.hasOwn(value, apiKeyField))) {
		throw new SwitchboardError('usage', `${what} is not a JSON object without “${apiKeyField}”. Nothing was sent.`, {
			nextStep: 'Send an object here: the key is added to it.',
		});
	}

	return text;
}

const maybeDone = 'The request was sent, and may have been carried out.';

const explainOutcome = (error: SwitchboardError): SwitchboardError =>
	error.isOutcomeUnknown ? unknownOutcomeError(error, maybeDone, 'Look at what the service has before you send it again.') : error;

/** Sends a request; a change only once, after a question unless `--yes` was given. */
async function send(context: Context, {client}: Service, request: RawRequest, body: string | undefined, isInputTaken: boolean) {
	const {method, path, summary, isWrite} = request;
	const sendNow = async (signal: AbortSignal) => {
		context.showProgress('Waiting for the answer …');
		return client.sendRequest(request, body, signal);
	};

	if (!isWrite) {
		return sendNow(context.readSignal);
	}

	if (!context.isSure) {
		const meaning =
			summary === undefined ? 'Switchboard does not know this request: it may change something.' : `It is a change: “${summary}”.`;
		await requireYes(context, `Send ${method} ${path} to ${client.baseAddress}? ${meaning}`, {
			taken: isInputTaken ? 'has the body' : undefined,
			ifNo: 'Nothing was sent.',
		});
	}

	try {
		return await writeOnce(
			context,
			{ifDone: 'The request was answered.', ifUnknown: maybeDone, ifNotSent: 'The request was not sent.'},
			async () => sendNow(context.writeSignal),
		);
	} catch (error) {
		throw explainOutcome(toSwitchboardError(error));
	}
}

type Sent = Awaited<ReturnType<typeof send>>;

/** Prints a body: as it is; for a person cleaned, with indented JSON; with `--json` as one value. */
async function printBody({options: {isJson}, streams, printData, printJson, note}: Context, {answer}: Sent): Promise<void> {
	if (!isJson && !isForPerson({streams})) {
		printData(answer.redactedBytes());
		return;
	}

	const {text} = answer;
	const json = answer.json();
	const isText = !text.includes('\0');
	if (!isText) {
		note(`The answer is not text (${counted(answer.bytes.byteLength, 'byte')}). Write it to a file with “> FILE”, without --json.`);
	}

	if (isJson) {
		await printJson(json ?? (isText && json === undefined && text !== '' ? text : null));
	} else if (isText && text !== '') {
		printData(`${json === undefined ? cleanLines(text, text.length) : stringifyJson(json)}\n`);
	}
}

async function callApi(context: Context, method: (typeof methods)[number], path: string, options: ApiOptions): Promise<void> {
	const request = toRawRequest(method, path);
	if (request.isWrite) {
		refuseReadOnly(context);
	}

	const body = await readBody(context, request, options);
	await withService(context, async service => {
		if (request.isWrite && context.isDryRun) {
			await printJsonOr(context, {method, path: request.path, sent: false}, () =>
				context.print(`Would send ${method} ${request.path} to ${service.client.baseAddress}.`),
			);
			return;
		}

		const sent = await send(context, service, request, body, options.input === standardInput);
		await printBody(context, sent);
		if (sent.error !== undefined) {
			throw explainOutcome(sent.error);
		}
	});
}

export const defineApi: DefineCommand = (parent, run) =>
	parent
		.command('api')
		.description('send a request to the service, and print the body of its answer')
		.addArgument(
			new Argument('<method>', 'in any case').choices(methods).argParser(parseChoice('the method', methods, text => text.toUpperCase())),
		)
		.argument('<path>', 'a path on the service, with its query')
		.option('--input <file>', 'the body, which is JSON; “-” for standard input')
		.option('--yes', 'skip the confirmation of a change')
		.option(...dryRunOption)
		.notes(`
The key is sent where the path wants it: in a header, or below ${bodyKeyFolder} in the
body. Everything but a GET counts as a change unless it is known to read, and a
GET that installs counts as one. A change is sent once, and asks first; a prompt
that it replaces is not kept. Redirects are not followed.`)
		.examples(
			[`switchboard api GET ${endpoints.listInstalled.path}`, 'the body as it came'],
			[`switchboard api GET ${descriptionPath} | jq .paths`, 'what the service says it can do'],
			[`switchboard api PUT ${fillPath(endpoints.editInstalled.path, 4)} --input F`, 'a change, with the body in the file F; asks first'],
			[`switchboard api POST ${endpoints.listAgentsBodyStyle.path} --json`, 'one JSON value, whatever the answer is'],
		)
		.action(run(callApi, {isLocal: true}));
