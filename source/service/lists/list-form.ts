import {createHash} from 'node:crypto';
import {type Listed, type ListName} from '../store/store.ts';

/** One way to answer a list of an account. */
export type ListForm = {
	/** No other form has it. */
	readonly name: string;
	/** The list whose versions are those of the answer. */
	readonly list: ListName;
	/** Changes with the form of the records, which another version of the program may write in another way. */
	readonly mark: string;
	/** The records as they are answered, and the version that they belong to. */
	readonly read: (accountId: number) => Promise<Listed<object>>;
	/** What is before the records and after them. */
	readonly frame: readonly [before: string, after: string];
};

/** @param schema - of the answer. */
export const createListForm = (schema: object, form: Omit<ListForm, 'mark' | 'frame'> & Partial<Pick<ListForm, 'frame'>>): ListForm => ({
	frame: ['[', ']'],
	...form,
	mark: createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 8),
});
