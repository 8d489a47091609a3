/** Something that a check found. */
export type Finding = {
	/** `problem` for what harms the service now or soon, `note` for what an operator may want to know. */
	readonly severity: 'problem' | 'note';
	/** What was checked. */
	readonly kind: 'damage' | 'references' | 'migration' | 'space' | 'sizes' | 'names';
	/** Whole sentences, with what to do. */
	readonly message: string;
};

export type CheckResult = {
	readonly findings: readonly Finding[];
	/** What was looked at, as sentences. */
	readonly summary: readonly string[];
};

/** At most this many findings of one kind are described. */
export const maximumDescribed = 10;

export const problem = (kind: Finding['kind'], message: string): Finding => ({severity: 'problem', kind, message});

export const note = (kind: Finding['kind'], message: string): Finding => ({severity: 'note', kind, message});

/**
Whether the migrations of a database are those of this program.

@param version - the number of the last one that was applied.
@param known - the number of those that this program knows.
*/
export const checkMigration = (version: number, known: number): readonly Finding[] => {
	if (version > known) {
		return [problem('migration', `It was written by a newer Switchboard: it has version ${version}, this program supports up to ${known}. Update Switchboard. Its records were not checked.`)];
	}

	return version < known
		? [note('migration', `It has version ${version}. “switchboard serve” or “switchboard migrate” of this program brings it to version ${known}; make a backup first. Its records were not checked.`)]
		: [];
};
