import {
	environmentManager,
	focusManager,
	onlineManager,
	QueryClient,
} from '@tanstack/react-query';

/** How often the shown lists are read again, in milliseconds. */
export const pollMilliseconds = 15_000;

/** The cache under the hooks. It never repeats a request by itself: the client below does that for reads. */
export const createQueryClient = (): QueryClient => {
	// TanStack Query takes Node for a server otherwise, and would not poll.
	environmentManager.setIsServer(() => false);
	focusManager.setFocused(true);
	onlineManager.setOnline(true);
	return new QueryClient({
		defaultOptions: {
			queries: {
				retry: false,
				networkMode: 'always',
				gcTime: Infinity,
				// Going to and fro between screens asks for nothing new within this time.
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
