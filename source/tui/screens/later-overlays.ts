/*
The overlays that most runs never show, with their parts, in one module. If each were loaded by itself, the code that some of them share
with the other screens would be split into more files, and every start would load these.
*/

export {offerLeftTimers} from '../hooks/left-timers.ts';
export {offerLeftTries} from '../hooks/try-switch.ts';
export {ConversationOverlay} from './conversation/conversation-overlay.tsx';
export {HistoryOverlay} from './history/history-screen.tsx';
