/*
The overlays that most runs never show, and what goes with them, in one module: were each loaded by itself, the code that some of them share with the other screens
would be split into more files, which every start loads.
*/

export {offerLeftTries} from '../hooks/try-switch.ts';
export {ConversationOverlay} from './conversation/conversation-overlay.tsx';
export {HistoryOverlay} from './history/history-screen.tsx';
