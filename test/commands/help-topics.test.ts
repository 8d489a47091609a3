import {assert, test} from '../helpers/node.ts';
import {layTopic} from '../../source/commands/help/layout.ts';
import {topics} from '../../source/commands/help.ts';

for (const {name, load} of topics) {
	test(`at 40 columns, only what is to be typed is longer than a line in the help on ${name}`, async () => {
		const topic = await load();
		const asTheyAre = new Set(
			topic.flatMap(part => (typeof part === 'object' && 'lines' in part ? part.lines : [])).map(line => `  ${line}`),
		);
		const terms = new Set(
			topic.flatMap(part => (typeof part === 'object' && 'items' in part ? part.items : [])).map(([term]) => `  ${term}`),
		);
		const long = layTopic(topic, 40)
			.split('\n')
			.filter(line => line.length > 40 && !asTheyAre.has(line) && !terms.has(line));
		// A single word, such as a path.
		assert.deepEqual(
			long.filter(line => line.trim().includes(' ')),
			[],
		);
	});
}
