import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {type AbilityDraft, type AbilityOverrides, draftAbility} from './ability-draft.ts';
import {checkDraft} from './check-draft.ts';
import {readConfig} from './read-config.ts';
import {type AbilityImage, readImage} from './read-image.ts';
import {type AbilitySource, readSource} from './read-source.ts';

/** A draft, checked by the rules of the service (`LIVE-SERVICE.md`, Upload). */
export type CheckedDraft = AbilityDraft & {
	/** Everything that prevents its upload, each problem naming its field, the most important first. */
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

/** The draft of an ability whose files were read, checked. */
export const checkSource = (source: AbilitySource, overrides: AbilityOverrides): CheckedDraft => {
	const config = readConfig(source.files);
	const draft = draftAbility(source, config, overrides);
	// A broken config.json matters only if a value is needed from it.
	const isConfigNeeded = overrides.name === undefined || overrides.triggerPhrases === undefined;
	const configProblems = config.problem !== undefined && isConfigNeeded ? [config.problem] : [];
	return {...draft, problems: [...configProblems, ...checkDraft(draft)]};
};

/** Reads and checks an ability without packing it. Problems with the input are returned, not thrown. */
export const readDraft = async (path: string, overrides: AbilityOverrides = {}): Promise<{
	readonly draft: CheckedDraft;
	readonly source: AbilitySource;
	readonly image: AbilityImage | undefined;
}> => {
	const image = overrides.imagePath === undefined ? undefined : await attempt(readImage(overrides.imagePath));
	const imageProblems = isProblem(image) ? [image] : [];
	const readable = await attempt(readSource(path));
	const source = isProblem(readable) ? emptySource : readable;
	const draft = checkSource(source, overrides);
	// Without its files nothing else can be checked.
	const problems = isProblem(readable) ? [readable] : draft.problems;
	return {
		draft: {...draft, problems: [...problems, ...imageProblems]},
		source,
		image: isProblem(image) ? undefined : image,
	};
};
