import {type Static, type TObject} from 'typebox';
import {Value} from 'typebox/value';
import {SwitchboardError} from '../../interface/errors.ts';
import {revealLine} from '../../interface/reveal-text.ts';

const problemOf = (schema: TObject, given: unknown): string => {
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
};

/**
The arguments of a call, which fit the schema. The SDK could check them too; checked here, a mistake is told as every other error is.

@throws SwitchboardError `usage`
*/
export const checkArguments = <Input extends TObject>(schema: Input, given: unknown): Static<Input> => {
	if (Value.Check(schema, given)) {
		return given;
	}

	throw new SwitchboardError('usage', problemOf(schema, given), {nextStep: 'The input schema of the tool describes its arguments.'});
};
