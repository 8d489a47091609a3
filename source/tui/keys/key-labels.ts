const labels: Readonly<Record<string, string>> = {
	space: 'Space',
	enter: 'Enter',
	escape: 'Esc',
	tab: 'Tab',
	'shift+tab': 'Shift+Tab',
	up: 'Up',
	down: 'Down',
	left: 'Left',
	right: 'Right',
	pageup: 'PgUp',
	pagedown: 'PgDn',
	home: 'Home',
	end: 'End',
	backspace: 'Backspace',
	delete: 'Del',
};

/** A key's name as people write it: `Ctrl+D` for `ctrl+d`; a printable key is itself. */
export const keyLabel = (name: string): string => {
	const label = labels[name];
	if (label !== undefined) {
		return label;
	}

	const [modifier, key] = name.length > 1 ? name.split('+', 2) as [string, string | undefined] : [name, undefined];
	if (key !== undefined) {
		return `${modifier[0]!.toUpperCase()}${modifier.slice(1)}+${labels[key] ?? key.toUpperCase()}`;
	}

	return /^f\d+$/.test(name) ? name.toUpperCase() : name;
};
