import type {HelpTopic} from './topic.ts';

type TopicEntry = {
	readonly name: string;
	readonly description: string;
	/** Loads the topic when it is asked for. */
	readonly load: () => Promise<HelpTopic>;
};

/** The topics of `switchboard help TOPIC`. */
export const topics: readonly TopicEntry[] = [
	{name: 'keys', description: 'the keys of the terminal UI', load: async () => (await import('./keys.ts')).keys},
	{name: 'filter', description: 'what the filter line of the terminal UI takes', load: async () => (await import('./filter.ts')).filter},
	{name: 'environment', description: 'environment variables', load: async () => (await import('./environment.ts')).environment},
	{name: 'exit-codes', description: 'the exit codes and kinds of errors', load: async () => (await import('./exit-codes.ts')).exitCodes},
	{name: 'json', description: 'what --json prints', load: async () => (await import('./json.ts')).json},
	{name: 'state', description: 'the state file of export, plan and apply', load: async () => (await import('./state.ts')).state},
	{name: 'serving', description: 'how to run the bundled service', load: async () => (await import('./serving.ts')).serving},
	{name: 'ssh', description: 'how to let others use Switchboard over SSH', load: async () => (await import('./ssh.ts')).ssh},
];

/** The list of topics, for the help of the program and of `help`. */
export const topicList = (): string => {
	const width = Math.max(...topics.map(({name}) => name.length));
	return ['', 'Help topics (switchboard help TOPIC):', ...topics.map(({name, description}) => `  ${name.padEnd(width)}  ${description}`)].join('\n');
};
