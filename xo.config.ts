const configuration = [
	{ignores: ['dist', 'media']},
	{
		rules: {
			// Fields of the interface are snake_case on the wire.
			'@typescript-eslint/naming-convention': 'off',
			// A sequence of requests or keypresses is often meant to be one after the other.
			'no-await-in-loop': 'off',
			// Short lists of states read well as a chain of conditions.
			'no-nested-ternary': 'off',
			'unicorn/no-nested-ternary': 'off',
			'max-params': ['error', 5],
			// A reducer is one switch.
			complexity: 'off',
			// `undefined` is a value of its own here: not shown, not known.
			'unicorn/no-useless-undefined': 'off',
			// JSON has null.
			'@typescript-eslint/no-restricted-types': 'off',
			// A comment says why; types say what is taken and given.
			'jsdoc/require-param': 'off',
			'jsdoc/check-param-names': 'off',
			'jsdoc/require-returns': 'off',
			'jsdoc/require-description': 'off',
			'unicorn/single-line-block-comment-style': 'off',
			// Plain ASCII patterns need no flag.
			'require-unicode-regexp': 'off',
			'regexp/no-super-linear-move': 'off',
			'unicorn/prefer-simple-condition-first': 'off',
			'unicorn/prefer-iterator-to-array': 'off',
			'unicorn/no-await-expression-member': 'off',
			'unicorn/no-unsafe-string-replacement': 'off',
			// An empty text counts as none.
			'@typescript-eslint/strict-boolean-expressions': 'off',
			// Path shapes hold {parameters}.
			'unicorn/no-incorrect-template-string-interpolation': 'off',
			// Verbs that tell whether they did something are named by the verb.
			'unicorn/consistent-boolean-name': 'off',
			'unicorn/prefer-minimal-ternary': 'off',
			'unicorn/no-declarations-before-early-exit': 'off',
			'unicorn/max-nested-calls': 'off',
			// A default case is meant.
			'@typescript-eslint/switch-exhaustiveness-check': ['error', {considerDefaultExhaustiveForUnions: true}],
			// Terminals are spoken to, and defended from, in control characters and ranges.
			'no-control-regex': 'off',
			'no-misleading-character-class': 'off',
			'regexp/no-control-character': 'off',
			'regexp/no-obscure-range': 'off',
		},
	},
	{
		files: ['**/package.json'],
		rules: {
			// They are for the tools of a checkout.
			'package-json/no-overrides-in-published-package': 'off',
			// One public client is tested as it is, in the one version whose behaviour is described.
			'package-json/dependency-version-range': 'off',
			// It says that the program needs none.
			'package-json/no-empty-fields': ['error', {ignore: ['dependencies']}],
		},
	},
	{
		files: ['source/service/**', 'source/state/**', 'source/commands/mcp/**', 'test/state/**'],
		rules: {
			// TypeBox names its makers like types.
			'new-cap': ['error', {capIsNewExceptionPattern: String.raw`^(?:Type|Value)\.`}],
		},
	},
	{
		files: ['source/tui/keys/key-table.ts'],
		rules: {
			// It is a table: one line a row.
			'@stylistic/object-curly-newline': 'off',
		},
	},
	{
		files: ['test/**'],
		rules: {
			// Helpers stand under test/ as well; only *.test.ts files are run.
			'node-test/no-import-test-files': 'off',
			// The assertions of Node say enough, and waiting for a screen is an assertion that prints the screen.
			'node-test/prefer-test-context-assert': 'off',
			// Some files, and the helpers that they share, mock the timers for all their tests.
			'node-test/prefer-context-mock': 'off',
			'node-test/require-mock-timers-advance': 'off',
			'node-test/no-export': 'off',
			'node-test/require-assertion': 'off',
			'node-test/no-conditional-assertion': 'off',
			// Without an sshd there is nothing to test SSH with; CI installs one.
			'node-test/no-skip-test': 'off',
			'node-test/prefer-assert-throws': 'off',
			// The promises of node:test are its own.
			'@typescript-eslint/no-floating-promises': 'off',
		},
	},
];

export default configuration;
