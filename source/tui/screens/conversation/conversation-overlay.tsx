import {useEffect, useMemo, useSyncExternalStore, type ReactElement} from 'react';
import {abilityLookup, installedLookup} from '../../../interface/installed-lookup.ts';
import type {Agent} from '../../../interface/records.ts';
import {startingPhrases} from '../../../interface/trigger-phrases.ts';
import {useAppState, useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {endTries, startTry, triedIds} from '../../hooks/try-switch.ts';
import {useAbilities, useAgents, useInstalled, type ResourceState} from '../../hooks/use-resource.ts';
import {layers, useKeys} from '../../keys/dispatcher.ts';
import {isBackKey} from '../../../words/keymap.ts';
import type {Overlay} from '../../state/app-state.ts';
import {withMark} from '../../../words/signs.ts';
import {Notice} from '../../widgets/notice.tsx';
import {useLastKnown, useRemembered, useRememberedState} from '../../widgets/text-scroll.ts';
import {fit} from '../../../terminal/wrap.ts';
import {DetailFrame, detailLayoutOf, useProfileNote} from '../detail-frame.tsx';
import {refreshHint} from '../list/list-notice.tsx';
import {ListOverlay, overlayLine, rowStart} from '../list-overlay.tsx';
import {ConversationScreen, type EarlyLine, type Offer} from './conversation-screen.tsx';

type Tried = Extract<Overlay, {readonly kind: 'try-ability'}>;

/** Draws the conversation with an agent, or with an agent that has a given ability. */
export function ConversationOverlay({
	overlay,
}: {
	readonly overlay: Tried | Extract<Overlay, {readonly kind: 'conversation'}>;
}): ReactElement {
	return overlay.kind === 'conversation' ? <AgentScreen agentId={overlay.agentId} /> : <TryAbilityScreen {...overlay} />;
}

function AgentScreen({agentId}: {readonly agentId: number}): ReactElement {
	const agent = useAgents().records?.find(({id}) => id === agentId);
	return <ConversationScreen agent={agent ?? {id: agentId, name: `#${agentId}`}} />;
}

/** Draws the conversation with an agent that has an ability, whose phrases it offers. If several have it, the person chooses one first. */
function TryAbilityScreen(opened: Tried): ReactElement {
	const session = useServiceSession();
	const {columns} = useAppState(({size}) => size);
	const tried = useTried(opened);
	const {agents, candidates, record} = tried;
	const tryOffer = useTryOffer(tried);
	const early = useRemembered('early', (): EarlyLine => ({text: '', isDue: false}));
	const [chosenId, choose] = useRememberedState<number | undefined>('agent', undefined);
	const onlyId = candidates.length === 1 ? candidates[0]!.id : undefined;
	const agentId = chosenId ?? onlyId;
	const agent = useLastKnown(
		'agent record',
		agents.records?.find(({id}) => id === agentId),
	);
	const ids = useMemo(() => candidates.map(({id}) => id), [agents.records, candidates.length]);
	useEffect(() => {
		// If another agent gets the ability meanwhile, nothing changes.
		choose(before => before ?? onlyId);
	}, [onlyId]);
	if (agentId !== undefined && agent !== undefined) {
		return <ConversationScreen agent={agent} offer={{...offerOf(tried), ...tryOffer, onEnded: () => endTries(session)}} early={early} />;
	}

	return candidates.length === 0 ? (
		<WaitingScreen agents={agents} isKnown={tried.isKnown} early={early} />
	) : (
		<ListOverlay
			isPlain
			title={`Which agent? Several have ${record?.name ?? 'it'}`}
			action="talk"
			ids={ids}
			notice={{tone: 'plain', title: ''}}
			openLabel="talk"
			lineOf={(row, isCursor) => overlayLine(isCursor, [[fit(candidates[row]!.name, columns - rowStart)]], candidates[row]!.name, columns)}
			onOpen={row => choose(() => candidates[row]!.id)}
		/>
	);
}

/** Returns an ability, its installed record, and its agents; all of them may be unknown as yet. */
function useTried({resource, id}: Tried) {
	const agents = useAgents();
	const installedList = useInstalled();
	const opened = resource === 'installed' ? installedList.records?.find(record => record.id === id) : undefined;
	const abilities = useAbilities(resource === 'abilities' || opened?.abilityId === undefined);
	const ability = useMemo(
		() => (opened === undefined ? abilities.records?.find(record => record.id === id) : abilityLookup(abilities.records ?? [])(opened)),
		[opened, abilities.records, id],
	);
	const installed = useMemo(
		() => opened ?? (ability && installedLookup(installedList.records ?? [])(ability)),
		[opened, ability, installedList.records],
	);
	const abilityId = ability?.id ?? opened?.abilityId;
	// Until then, another agent may have it.
	const isKnown =
		abilityId !== undefined || [abilities, installedList].every(({records, error}) => !(records === undefined && error === undefined));
	const owners = agents.records?.filter(({abilityIds}) => abilityId !== undefined && abilityIds?.includes(abilityId)) ?? [];
	return {
		agents,
		isKnown,
		record: installed ?? ability,
		installed,
		intents: installedList.intents,
		isInstalled: installed !== undefined || installedList.records === undefined,
		/** The agents to choose from; for an ability without an agent, the default one. */
		candidates: isKnown ? (owners.length === 0 ? (agents.records ?? []).slice(0, 1) : owners) : [],
	};
}

/** Offers to switch on an ability that is off, until the screen is left. */
function useTryOffer({installed, intents}: Pick<ReturnType<typeof useTried>, 'installed' | 'intents'>): Pick<Offer, 'tryText' | 'onTry'> {
	const {store, say} = useUiServices();
	const session = useServiceSession();
	const tries = triedIds(session);
	const ids = useSyncExternalStore(tries.subscribe, tries.get);
	useEffect(
		() => () => {
			// The screen also counts as open while the terminal is too small.
			if (store.getState().overlays.every(({kind}) => kind !== 'try-ability')) {
				endTries(session);
			}
		},
		[session, store],
	);
	if (installed === undefined || intents.has(installed.id)) {
		return {};
	}

	const {id, name, isEnabled} = installed;
	if (ids.has(id)) {
		return {tryText: isEnabled === true ? `${name} is on until you leave this conversation.` : ''};
	}

	return isEnabled === false
		? {
				tryText: `${name} is off: Ctrl+T switches it on for this conversation.`,
				onTry() {
					void (async () => {
						const reason = await startTry(session, installed);
						if (reason !== undefined) {
							say('error', reason);
						}
					})();
				},
			}
		: {};
}

function offerOf(tried: ReturnType<typeof useTried>): Offer {
	const {record, isInstalled} = tried;
	const phrases = record === undefined || !isInstalled ? [] : startingPhrases({category: record.category, phrases: record.triggerPhrases});
	return {phrases, remark: record === undefined || phrases.length > 0 ? '' : remarkOf(tried)};
}

function remarkOf({record, isInstalled}: Pick<ReturnType<typeof useTried>, 'record' | 'isInstalled'>): string {
	const {name, category} = record!;
	const reasons: Readonly<Record<string, string>> = {background_daemon: 'it is a daemon', brain_skill: 'the agent decides'};
	return `No phrase starts ${name}: ${isInstalled ? (reasons[category] ?? 'it has none') : 'it is not installed'}.`;
}

type WaitingProps = {readonly agents: ResourceState<Agent>; readonly isKnown: boolean; readonly early: EarlyLine};

/** Shown until the agents are read; text typed meanwhile goes to the line of the conversation. */
function WaitingScreen({agents: {records, error, isReading, refresh}, isKnown, early}: WaitingProps): ReactElement {
	const {store, keymap} = useUiServices();
	const state = useAppState();
	const profileNote = useProfileNote();
	const isFailed = error !== undefined && !isReading;
	const isDone = isFailed || (records !== undefined && isKnown);
	useKeys(isDone ? layers.overlay : layers.field, {
		onKey({name, text}) {
			if (name === 'escape' || (isDone && isBackKey(keymap, name))) {
				store.dispatch({type: 'close'});
			} else if (!isDone) {
				early.text += text;
				early.isDue = name === 'enter' || (early.isDue && text === '');
			} else if (keymap.actionOf(name, ['list']) === 'refresh') {
				void refresh();
			}

			return true;
		},
		onPaste(text) {
			early.text += isDone ? '' : text.replaceAll('\n', ' ');
			return !isDone;
		},
	});
	return (
		<DetailFrame title="Conversation" notes={[profileNote]} hints={[{key: 'esc', label: 'back'}]}>
			<Notice
				width={state.size.columns}
				height={detailLayoutOf(state).bodyRows}
				tone={isFailed ? 'error' : 'secondary'}
				title={
					isFailed
						? withMark('error', `The agents could not be read. ${error.message}`)
						: isDone
							? 'There is no agent to talk to.'
							: 'Reading the agents…'
				}
				hint={isFailed ? refreshHint(error, keymap) : undefined}
			/>
		</DetailFrame>
	);
}
