import {
	environmentManager,
	focusManager,
	notifyManager,
	onlineManager,
	QueryClient,
} from '@tanstack/react-query';

/** How often the shown lists are polled. */
export const pollMilliseconds = 15_000;

/** The cache under the hooks. It never retries a request: the client does that for reads. */
export const createQueryClient = (): QueryClient => {
	// Otherwise TanStack Query takes Node for a server, and does not poll.
	environmentManager.setIsServer(() => false);
	focusManager.setFocused(true);
	onlineManager.setOnline(true);
	// A list and the message about it change in the same frame: by default lists change a turn of the event loop later.
	notifyManager.setScheduler(queueMicrotask);
	return new QueryClient({
		defaultOptions: {
			queries: {
				retry: false,
				networkMode: 'always',
				gcTime: Infinity,
				// Switching between screens requests nothing within this time.
				staleTime: 5000,
				structuralSharing: false,
				refetchOnWindowFocus: false,
				refetchOnReconnect: false,
			},
			mutations: {
				retry: false,
				networkMode: 'always',
				gcTime: 0,
			},
		},
	});
};
