import {type Category} from '../../interface/categories.ts';

/** An ability of the sample home, with its source as it would be uploaded. */
export type SampleAbility = {
	/** As `source/interface/names.ts` wants it. */
	readonly name: string;
	readonly category: Category;
	readonly description: string;
	readonly triggerPhrases: readonly string[];
	/** `undefined` where it is not installed. */
	readonly isEnabled: boolean | undefined;
	/** How long before the home is filled the ability last changed. */
	readonly ageDays: number;
	/** Python sources by file name; `config.json`, `__init__.py` and `README.md` are added to them. */
	readonly sources: Readonly<Record<string, string>>;
};
