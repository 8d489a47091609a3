import {type Buffer} from 'node:buffer';
import {type FastifyReply, type FastifyRequest} from 'fastify';
import {type Caller} from '../callers.ts';
import {goneSignal, groupOf, refuseForNow} from '../http/admission.ts';
import {tellVersion} from '../http/list-versions.ts';
import {chooseCoding, type Coding, leastCompressedBytes} from '../lists/content-coding.ts';
import {entityTag, findMatch} from '../lists/entity-tags.ts';
import {type ListText} from '../lists/list-cache.ts';
import {type ListForm} from '../lists/list-form.ts';
import {type Lists} from '../lists/lists.ts';

/** A request, after its key was checked. */
type Sender = {
	readonly caller: Caller;
	readonly request: FastifyRequest;
	readonly reply: FastifyReply;
};

/** `undefined` if the client has gone meanwhile. */
const prepare = async (lists: Lists, form: ListForm, {caller, request, reply}: Sender): Promise<ListText | undefined> => {
	const kept = lists.find(form, caller);
	if (kept !== undefined) {
		return kept;
	}

	const gone = goneSignal(reply);
	const text = await lists.read(form, {caller, group: groupOf(request), gone});
	return text ?? (gone.aborted ? undefined : refuseForNow(reply));
};

type Sent = {readonly text: ListText; readonly coding: Coding | undefined};

const send = async (lists: Lists, form: ListForm, sender: Sender, addHeaders: (sent: Sent) => void): Promise<Buffer | FastifyReply> => {
	const {request, reply} = sender;
	const text = await prepare(lists, form, sender);
	if (text === undefined) {
		return reply.hijack();
	}

	const coding = text.bytes.length < leastCompressedBytes ? undefined : chooseCoding(request.headers['accept-encoding']);
	void reply.header('content-type', 'application/json; charset=utf-8').header('vary', 'accept-encoding');
	addHeaders({text, coding});
	if (coding === undefined) {
		return text.bytes;
	}

	void reply.header('content-encoding', coding);
	return text.compressed(coding);
};

/** Answers with a list, in the coding that the client wants. */
export const sendList = async (lists: Lists, form: ListForm, sender: Sender): Promise<Buffer | FastifyReply> => send(lists, form, sender, () => undefined);

/**
The same for a list that the client keeps as its own and asks for again and again: it need not be read if the client has it (RFC
9111, RFC 9110 section 13).
*/
export const sendCheckedList = async (lists: Lists, form: ListForm, sender: Sender): Promise<Buffer | FastifyReply> => {
	const {caller, request, reply} = sender;
	void reply.header('cache-control', 'private, no-cache');
	const match = findMatch(request.headers['if-none-match'], caller.versions[form.list], form.mark);
	if (match !== undefined) {
		tellVersion(reply, form.list, caller.versions[form.list]);
		return reply.code(304).header('etag', match).header('vary', 'accept-encoding').send();
	}

	return send(lists, form, sender, ({text, coding}) => {
		tellVersion(reply, form.list, text.version);
		void reply.header('etag', entityTag(text.version, form.mark, coding));
	});
};
