import {type ErrorDetails, type ErrorKind, SwitchboardError} from '../../interface/errors.ts';

type LocationDetails = Omit<ErrorDetails, 'nextStep'> & {
	/** How to use another one with this option, as the end of a sentence; `undefined` stands for the usual option. */
	readonly elsewhere: (option: string | undefined) => string;
	/** The next step, of which that is a part. */
	readonly advise: (elsewhere: string) => string;
};

/** A piece of advice as a sentence of its own. */
export const toSentence = (advice: string): string => `${advice[0]!.toUpperCase()}${advice.slice(1)}.`;

/** Trouble with a data folder or a database that another one would not have. */
export class LocationError extends SwitchboardError {
	readonly #details: LocationDetails;

	constructor(kind: ErrorKind, message: string, {elsewhere, advise, ...details}: LocationDetails, option?: string) {
		super(kind, message, {...details, nextStep: advise(elsewhere(option))});
		this.#details = {elsewhere, advise, ...details};
	}

	/** The same for a command that takes the folder or the database with this option. */
	withOption(option: string): LocationError {
		return new LocationError(this.kind, this.message, this.#details, option);
	}
}
