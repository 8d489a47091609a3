import {createObservable} from '../observable.ts';

type Present = {readonly account: string; readonly name: string};

/** The people whose screens this process shows over SSH, with the account that each looks at. */
export const people = createObservable<readonly Present[]>([]);

/** Adds a person to those who look at an account; returns a function that removes them. */
export function enterAccount(account: string, name: string): () => void {
	const entry = {account, name};
	people.set([...people.get(), entry]);
	return () => people.set(people.get().filter(other => other !== entry));
}

/** Returns the names of those who look at an account, one of them first. */
export function namesOfPeople(all: readonly Present[], account: string, first: string): readonly string[] {
	return [...new Set([first, ...all.filter(each => each.account === account).map(({name}) => name)])];
}
