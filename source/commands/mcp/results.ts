import type {CallToolResult} from '@modelcontextprotocol/server';
import {type Static, Type} from 'typebox';
import {SwitchboardError} from '../../interface/errors.ts';
import {revealText} from '../../interface/reveal-text.ts';
import {inToolWords} from './tool-words.ts';
import type {Answer} from './tool.ts';

export const errorSchema = Type.Object({
	kind: Type.String({description: 'One of a fixed set of words, such as not-found, ambiguous, read-only or unreachable.'}),
	message: Type.String(),
	next_step: Type.Optional(Type.String()),
});

/** Enough for a line for each of many mistakes in a state. */
const maximumMessageLength = 10_000;

export type PublicError = Static<typeof errorSchema>;

/** An error in a result. */
export const toToolError = ({kind, message, nextStep}: SwitchboardError): PublicError => ({
	kind,
	message: revealText(inToolWords(message), maximumMessageLength),
	...(nextStep !== undefined && {next_step: revealText(inToolWords(nextStep), maximumMessageLength)}),
});

/** What every output may have besides its own fields. */
export const commonOutput = {
	notes: Type.Optional(Type.Array(Type.String(), {description: 'Remarks about the answer, such as that a list from the service is incomplete.'})),
};

/** More is of no use to an assistant, whose context it would fill. */
const maximumCharacters = 1_000_000;

const tooLong = new SwitchboardError('too-large', 'The answer is too long for an assistant.', {nextStep: 'Ask for less, or use the command line.'});

const textOf = (value: object) => [{type: 'text' as const, text: JSON.stringify(value)}];

const withNotes = <Value extends object>(value: Value, notes: readonly string[]) => notes.length === 0 ? value : {...value, notes};

/** The result of a call that failed as a whole. Text alone: structured content would have to fit the output schema. */
export const toErrorResult = (error: SwitchboardError, notes: readonly string[]): CallToolResult => ({
	content: textOf(withNotes({error: toToolError(error)}, notes)),
	isError: true,
});

/** The result of a call, as structured content and the same as text. */
export const toResult = ({output, error}: Answer<object>, notes: readonly string[]): CallToolResult => {
	const structuredContent = withNotes({...output, ...(error !== undefined && {error: toToolError(error)})}, notes);
	const content = textOf(structuredContent);
	return content[0]!.text.length > maximumCharacters ? toErrorResult(tooLong, notes) : {content, structuredContent, ...(error !== undefined && {isError: true})};
};
