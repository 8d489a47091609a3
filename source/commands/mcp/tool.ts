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

/** The hints that clients use to decide whether to ask before a call. */
type Effect = 'reads' | 'switches' | 'overwrites';

type ToolText = {
	readonly name: string;
	readonly title: string;
	/** A constant, as the title is: no text of the service ever gets into it. */
	readonly description: string;
	readonly effect: Effect;
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

/** Changes something on the service. */
export const isWriting = ({effect}: Tool): boolean => effect !== 'reads';

/** The tool as the SDK announces it. A switch loses nothing that the opposite one does not bring back. */
export const annotationsOf = ({effect}: Tool) => ({
	readOnlyHint: effect === 'reads',
	destructiveHint: effect === 'overwrites',
	idempotentHint: true,
	// The records of one account on one service, no more.
	openWorldHint: false,
});
