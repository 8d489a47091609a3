import {
	type Static,
	type TObject,
	type TProperties,
	Type,
} from 'typebox';
import type {SwitchboardError} from '../../interface/errors.ts';
import type {Context} from '../context.ts';
import type {Service} from '../with-service.ts';
import {checkArguments} from './check-arguments.ts';

/** What a call works with: its context prints nothing and ends when the client cancels the call. */
export type Call = {
	readonly context: Context;
	readonly service: Service;
};

export type Answer<Output> = {
	readonly output: Output;
	/** Why not everything that was asked for is done; the output says what is. */
	readonly error?: SwitchboardError | undefined;
};

type ToolText = {
	readonly name: string;
	readonly title: string;
	/** A constant, as the title is: no text of the service ever gets into it. */
	readonly description: string;
	/** True if it changes something on the service. */
	readonly isWriting: boolean;
};

/** A tool whose arguments are not checked yet. */
export type Tool = ToolText & {
	readonly input: TObject;
	readonly output: TObject;
	readonly run: (call: Call, given: unknown) => Promise<Answer<object>>;
};

/** An object that takes no other fields. */
export const closedObject = <Properties extends TProperties>(properties: Properties) => Type.Object(properties, {additionalProperties: false});

/**
A tool whose arguments fit its schema when it runs.

@throws SwitchboardError from `run`: `usage` if they do not.
*/
export const defineTool = <Input extends TObject, Output extends TObject>({input, run, ...rest}: ToolText & {
	readonly input: Input;
	readonly output: Output;
	readonly run: (call: Call, given: Static<Input>) => Promise<Answer<Static<Output>>>;
}): Tool => ({
	...rest,
	input,
	run: async (call, given) => run(call, checkArguments(input, given)),
});

/** The hints by which a client decides whether to ask before a call. A write that does not only add counts as destructive, and so it should ask. */
export const annotationsOf = ({isWriting}: Tool) => ({
	readOnlyHint: !isWriting,
	destructiveHint: isWriting,
	idempotentHint: true,
	// The records of one account on one service, no more.
	openWorldHint: false,
});
