import type {CallToolResult, Tool as ListedTool} from '@modelcontextprotocol/server';
import * as Type from 'typebox';
import {Value} from 'typebox/value';
import {revealLine, revealText} from '../../interface/clean-text.ts';
import type {JsonValue} from '../../interface/json.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';

/** The words of messages for the command line, with the words for the tools. */
const table: ReadonlyArray<readonly [of: RegExp, instead: string]> = [
	[/use: switchboard disable --all/g, 'leave out prune.'],
	[/To install it, use: switchboard install .*/g, 'To install it, name it under “installed:” in apply_state.'],
	[/: switchboard (?<list>agents|abilities|installed)$/gm, ' the tool list_$1.'],
	[/“switchboard (?<list>agents|abilities|installed)”/g, 'the tool list_$1'],
	[/“switchboard enable” or “switchboard disable”/g, 'switch_installed'],
	[/Add --wait, .*? run$/gm, 'A person can keep them with: switchboard timers run'],
	[/--prune\b/g, 'prune'],
	[/--(?<argument>for|until|note)\b/g, '“$1”'],
	[/Use --yes to (?<verb>empty|change) it anyway\./g, 'Only a person can $1 it: switchboard agents edit AGENT --prompt TEXT --yes'],
	[/Run the command again/g, 'Call the tool again'],
];

/** Returns a message or a next step for a client of the tools, which has no command line. */
export function inToolWords(text: string): string {
	let told = text;
	for (const [pattern, instead] of table) {
		told = told.replaceAll(pattern, instead);
	}

	return told;
}

/** The means of a call: its context prints nothing and ends when the client cancels the call. */
export type ToolCall = {readonly context: Context; readonly service: Service};

type ToolText = {
	readonly name: string;
	readonly title: string;
	/** A constant, like the title: text from the service never gets into it. */
	readonly description: string;
	readonly isWriting: boolean;
	/** True if it acts beyond the records of one account on one service: a second call may then have further effects. */
	readonly isOpenWorld?: boolean;
};

type Answer<Output> = {
	readonly output: Output;
	/** The reason why some of the work was not done; the output says which. */
	readonly error?: SwitchboardError | undefined;
};

/** A tool whose arguments are not checked yet. */
export type Tool = ToolText & {
	readonly input: Type.TObject;
	readonly output: Type.TObject;
	readonly run: (call: ToolCall, given: unknown) => Promise<Answer<object>>;
};

/**
Returns a tool whose arguments fit its schema when it runs. It refuses other arguments.

@throws SwitchboardError from `run`: `usage` if they do not match.
*/
export function defineTool<Input extends Type.TProperties, Output extends Type.TProperties>({
	input: properties,
	output,
	run,
	...rest
}: ToolText & {
	readonly input: Input;
	readonly output: Output;
	readonly run: (call: ToolCall, given: Type.Static<Type.TObject<Input>>) => Promise<Answer<Type.Static<Type.TObject<Output>>>>;
}): Tool {
	const input = Type.Object(properties, {additionalProperties: false});
	return {...rest, input, output: Type.Object({...output, notes}), run: async (call, given) => run(call, checkArguments(input, given))};
}

const notes = Type.Optional(
	Type.Array(Type.String(), {description: 'Remarks about the answer, such as that a list from the service is incomplete.'}),
);

/**
Returns the arguments of a call, which match the schema. The SDK could check them too, but checked here, a mistake is reported like all
other errors.

@throws SwitchboardError `usage`
*/
function checkArguments<Input extends Type.TObject>(schema: Input, given: unknown): Type.Static<Input> {
	if (Value.Check(schema, given)) {
		return given;
	}

	throw new SwitchboardError('usage', problemOf(schema, given), {nextStep: 'The input schema of the tool describes its arguments.'});
}

function problemOf(schema: Type.TObject, given: unknown): string {
	const errors = Value.Errors(schema, given);
	const unknown = errors.find(({keyword}) => keyword === 'additionalProperties');
	if (unknown !== undefined) {
		const [name = ''] = (unknown.params as {readonly additionalProperties: readonly string[]}).additionalProperties;
		return `There is no argument “${revealLine(name, 100)}”.`;
	}

	const [{instancePath, message} = {instancePath: '', message: 'do not fit'}] = errors;
	return instancePath === ''
		? `The arguments ${message}.`
		: `The argument ${revealLine(instancePath.slice(1).replaceAll('/', '.'), 100)} ${message}.`;
}

/**
Returns a tool as clients list it. By its hints a client decides whether to ask before a call. A write that does more than add counts as
destructive, so the client should ask.
*/
export function announce({name, title, description, input, output, isWriting, isOpenWorld = false}: Tool): ListedTool {
	const annotations = {readOnlyHint: !isWriting, destructiveHint: isWriting, idempotentHint: !isOpenWorld, openWorldHint: isOpenWorld};
	return {name, title, description, inputSchema: input, outputSchema: output, annotations} as object as ListedTool;
}

/** Returns the schema of an argument that is a name or an id. */
export function nameArgument(description?: string) {
	return Type.String({minLength: 1, maxLength: 200, ...(description !== undefined && {description})});
}

/** Returns the schema of a value that is null where it is not known. */
export function nullable<Value extends JsonValue = JsonValue>(type: string, description: string, items?: object) {
	return Type.Unsafe<Value | null>({type: [type, 'null'], ...(items && {items}), description});
}

export const errorSchema = Type.Object({
	kind: Type.String({description: 'One of a fixed set of words, such as not-found, ambiguous, read-only or unreachable.'}),
	message: Type.String(),
	next_step: Type.Optional(Type.String()),
});

/** Enough for one line for each of many mistakes in a state. */
const maximumMessageLength = 10_000;

/** Returns an error in a result. */
export function toToolError({kind, message, nextStep}: SwitchboardError): Type.Static<typeof errorSchema> {
	return {
		kind,
		message: revealText(inToolWords(message), maximumMessageLength),
		...(nextStep !== undefined && {next_step: revealText(inToolWords(nextStep), maximumMessageLength)}),
	};
}

/** Returns as many of the items as an assistant can read, at least one. */
export function takeWhatFits<Item>(items: readonly Item[], maximumLength: number): Item[] {
	let length = 0;
	const end = items.findIndex((item, index) => {
		length += JSON.stringify(item).length;
		return length > maximumLength && index > 0;
	});
	return end === -1 ? [...items] : items.slice(0, end);
}

/** More would only fill an assistant's context. */
const maximumCharacters = 1_000_000;

const tooLong = new SwitchboardError('too-large', 'The answer is too long for an assistant.', {
	nextStep: 'Ask for less, or use the command line.',
});

/** Returns the result of a call that failed as a whole. It is only text: structured content would have to match the output schema. */
export function toErrorResult(error: SwitchboardError, notes: readonly string[]): CallToolResult {
	return {content: textOf(withNotes({error: toToolError(error)}, notes)), isError: true};
}

const textOf = (value: object) => [{type: 'text' as const, text: JSON.stringify(value)}];

const withNotes = <Value extends object>(value: Value, notes: readonly string[]) => (notes.length === 0 ? value : {...value, notes});

/** Returns the result of a call, as structured content and also as text. */
export function toResult({output, error}: Answer<object>, notes: readonly string[]): CallToolResult {
	const structuredContent = withNotes({...output, ...(error !== undefined && {error: toToolError(error)})}, notes);
	const content = textOf(structuredContent);
	return content[0]!.text.length > maximumCharacters
		? toErrorResult(tooLong, notes)
		: {content, structuredContent, ...(error !== undefined && {isError: true})};
}
