import {Buffer} from 'node:buffer';
import {hash} from 'node:crypto';
import type {FastifyInstance} from 'fastify';
import * as Type from 'typebox';
import {historyPath} from '../../interface/endpoints.ts';
import {historyKinds, type HistoryQuery} from '../../interface/history.ts';
import {decodeId} from '../../interface/records.ts';
import {callerOf} from '../http/authorize.ts';
import {ownSchema} from '../http/operation-routes.ts';
import {entityTag, findMatch} from '../lists.ts';
import {nullable, checkField} from '../records.ts';
import type {Store} from '../store/store.ts';

const usualLimit = 100;

const maximumLimit = 1000;

const maximumRecords = 100;

const maximumNameLength = 1000;

const text = (description: string) => Type.Optional(Type.String({minLength: 1, maxLength: maximumNameLength, description}));

const number = (description: string) => Type.Optional(Type.String({pattern: '^[1-9][0-9]{0,15}$', description}));

const historyQuery = Type.Object(
	{
		since: text('Entries from this time on, as in `2026-01-31T18:00:00Z`'),
		until: text('Entries before this time'),
		record: Type.Optional(
			Type.Unsafe<string | string[]>({
				type: ['string', 'array'],
				items: {type: 'string'},
				description: 'The id or the name of a record, in any case; several times for several records',
			}),
		),
		kind: Type.Optional(Type.String({enum: [...historyKinds]})),
		by: text('The name of a person or of a key, in any case'),
		before: number('Entries with a smaller id: `next` of the page before'),
		after: number('Entries with a greater id'),
		limit: number(`At most so many entries: ${usualLimit} by default, ${maximumLimit} at most`),
		entry: number('The entry with this id alone, with its long texts'),
	},
	{title: 'HistoryQuery'},
);

const value = (description: string): Type.TSchema =>
	Type.Unsafe({
		description: `${description}. A long text is \`{"characters", "sha256", "start"}\`; an entry that is read alone has \`from\` whole, and \`difference\` in place of \`start\``,
	});

const historyPage = Type.Object(
	{
		entries: Type.Array(
			Type.Object(
				{
					id: Type.Integer({description: 'A later change has a greater one'}),
					at: Type.String({format: 'date-time'}),
					by: Type.String({description: 'The person, else the name of the key; `local` or `operator` without one'}),
					key: nullable('string', {description: 'The name of the key'}),
					via: Type.String({description: 'An address, or `this machine`'}),
					kind: Type.String({enum: [...historyKinds]}),
					name: Type.String({description: 'The name of the record before the change'}),
					record: Type.Integer({description: 'The id of the record'}),
					field: Type.String(),
					from: value('The value before'),
					to: value('The value after'),
				},
				{title: 'HistoryEntry'},
			),
			{description: 'Newest first'},
		),
		next: nullable('integer', {description: '`before` of the next page; null after the last'}),
		reaches_back_to: nullable('string', {description: 'The time of the oldest entry that is kept; null without any'}),
	},
	{title: 'HistoryPage'},
);

const timePattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

type Query = Type.Static<typeof historyQuery>;

/** Serves the history of changes in the caller's account. */
export function addHistory(app: FastifyInstance, history: NonNullable<Store['history']>): void {
	const schema = ownSchema('readHistory', 'List the history of changes', historyPage, {querystring: historyQuery});
	app.get(historyPath, {schema}, async (request, reply) => {
		const {entries, next = null, reachesBackTo = null} = await history.read(callerOf(request).accountId, readQuery(request.query as Query));
		const body = Buffer.from(JSON.stringify({entries, next, reaches_back_to: reachesBackTo}));
		// The hash covers the content, because after a restore other entries may have these numbers.
		const version = hash('sha256', body, 'base64url');
		void reply.headers({
			'cache-control': 'private, no-cache',
			'content-type': 'application/json; charset=utf-8',
			etag: entityTag(version, 'history'),
		});
		return findMatch(request.headers['if-none-match'], version, 'history') === undefined ? body : reply.code(304).send();
	});
}

function readQuery(query: Query): HistoryQuery & {readonly limit: number} {
	const limit = decodeId(query.limit) ?? usualLimit;
	checkField('limit', limit > maximumLimit ? `may be at most ${maximumLimit}` : undefined);
	return {
		since: readTime('since', query.since),
		until: readTime('until', query.until),
		records: readRecords(query),
		kind: historyKinds.find(kind => kind === query.kind),
		by: query.by,
		before: decodeId(query.before),
		after: decodeId(query.after),
		limit,
		entry: decodeId(query.entry),
	};
}

/** Returns a time in UTC, as the entries have it, so that texts can be compared. */
function readTime(field: 'since' | 'until', time: string | undefined): string | undefined {
	if (time === undefined) {
		return undefined;
	}

	const date = new Date(timePattern.test(time) ? time : NaN);
	const isValid = !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999;
	checkField(field, isValid ? undefined : 'must be a time such as 2026-01-31T18:00:00Z');
	return date.toISOString();
}

function readRecords({record = []}: Query): readonly string[] {
	const records = [record].flat();
	checkField('record', records.length > maximumRecords ? `may be given at most ${maximumRecords} times` : undefined);
	checkField('record', records.some(each => each === '' || each.length > maximumNameLength) ? 'must be an id or a name' : undefined);
	return records;
}
