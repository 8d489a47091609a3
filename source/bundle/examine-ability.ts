import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {type AbilityDraft, type AbilityOverrides, draftAbility} from './ability-draft.ts';
import {checkDraft} from './check-draft.ts';
import {readConfig} from './read-config.ts';
import {type AbilityImage, readImage} from './read-image.ts';
import {type AbilitySource, readSource} from './read-source.ts';

export type ExaminedAbility = {
	readonly draft: AbilityDraft;
	readonly source: AbilitySource | undefined;
	readonly image: AbilityImage | undefined;
	/** All that keeps it from being uploaded, the most important first. */
	readonly problems: readonly SwitchboardError[];
};

const attempt = async <Result>(work: Promise<Result>): Promise<Result | SwitchboardError> => {
	try {
		return await work;
	} catch (error) {
		return toSwitchboardError(error);
	}
};

const isProblem = (value: unknown): value is SwitchboardError => value instanceof SwitchboardError;

const emptySource: AbilitySource = {baseName: '', files: [], leftOut: []};

/**
Reads an ability and finds all that is wrong with it, going by the rules that the service applies (`LIVE-SERVICE.md`,
Upload). Never throws for what is wrong with the input.
*/
export const examineAbility = async (path: string, overrides: AbilityOverrides): Promise<ExaminedAbility> => {
	const image = overrides.imagePath === undefined ? undefined : await attempt(readImage(overrides.imagePath));
	const imageProblems = isProblem(image) ? [image] : [];
	const source = await attempt(readSource(path));
	if (isProblem(source)) {
		// Without its files there is nothing to say about the rest.
		const draft = draftAbility(emptySource, readConfig([]), overrides);
		return {
			draft, source: undefined, image: undefined, problems: [source, ...imageProblems],
		};
	}

	const config = readConfig(source.files);
	const draft = draftAbility(source, config, overrides);
	// A broken file matters only where something was to come from it.
	const isConfigNeeded = overrides.name === undefined || overrides.triggerPhrases === undefined;
	const configProblems = config.problem !== undefined && isConfigNeeded ? [config.problem] : [];
	return {
		draft,
		source,
		image: isProblem(image) ? undefined : image,
		problems: [...configProblems, ...checkDraft(draft), ...imageProblems],
	};
};
