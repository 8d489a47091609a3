import {type Metrics} from './metrics.ts';

/** Where the metrics are served. Port 0 is any free one. */
export type MetricsAddress = {readonly host: string; readonly port: number};

export type RunningMetrics = Metrics & {
	/** `http://HOST:PORT/metrics`. */
	readonly address: string;
	close(): Promise<void>;
};

/**
Starts to count, and serves the counts. What that takes is loaded now: most services do without.

@throws SwitchboardError `usage` if it cannot listen there.
*/
export const startMetrics = async (at: MetricsAddress): Promise<RunningMetrics> => {
	const [{createMetrics}, {serveMetrics}] = await Promise.all([import('./metrics.ts'), import('./metrics-server.ts')]);
	const metrics = createMetrics();
	return {...metrics, ...await serveMetrics(metrics, at)};
};
