import {assert, test} from '../../helpers/node.ts';
import {agentFilter, parseFilter} from '../../../source/interface/filter.ts';
import {createRowFilter} from '../../../source/tui/state/rows.ts';

const agents = ['Hearth', 'Hearth two', 'Porch', 'the "old" one', 'Café'];

/** The agents whose abilities a filter leaves. */
const left = (filter: string): readonly string[] => {
	const records = agents.map((agent, id) => ({id, name: `ability of ${id}`, agents: [agent]}));
	return createRowFilter()(records, {filter, sort: {column: 'none', isReversed: false}, toRowData: record => record}).ids.map(
		id => agents[id]!,
	);
};

test('the filter for one agent matches that agent only', () => {
	for (const agent of agents) {
		assert.deepEqual(left(agentFilter(agent, agents)), [agent], agentFilter(agent, agents));
	}
});

test('a name is quoted only where needed', () => {
	assert.equal(agentFilter('Porch', agents), 'agent:Porch');
	assert.equal(agentFilter('Hearth', agents), 'agent:"Hearth"');
	assert.equal(agentFilter('Hearth two', agents), 'agent:"Hearth two"');
	assert.equal(agentFilter('the "old" one', agents), 'agent:"the ""old"" one"');
});

test('without quotes, or before they are closed, part of the name matches', () => {
	assert.deepEqual(left('agent:hearth'), ['Hearth', 'Hearth two']);
	assert.deepEqual(left('agent:"hearth t'), ['Hearth two']);
	assert.deepEqual(left('agent:cafe'), ['Café']);
	assert.deepEqual(left('agent:"'), agents);
	assert.deepEqual(left('!agent:"hearth two" agent:hearth'), ['Hearth']);
});

test('quotes elsewhere are text', () => {
	assert.deepEqual(left('"ability'), []);
	assert.ok(parseFilter('agent:"Hearth two" is:on').dependsOnAgents);
});
