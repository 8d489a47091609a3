/** A key and what it does, for the hint line. */
export type Hint = {
	readonly key: string;
	readonly label: string;
	/** True for what stays if there is no room for all. */
	readonly isKept?: boolean;
};
