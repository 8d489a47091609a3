import {type Metrics} from './metrics.ts';
import {type MetricsAddress, type MetricsServer} from './metrics-server.ts';

export type RunningMetrics = Metrics & MetricsServer;

/**
Starts to count, and serves the counts. What that takes is loaded now: most services do without.

@throws SwitchboardError `usage` if it cannot listen there.
*/
export const startMetrics = async (at: MetricsAddress): Promise<RunningMetrics> => {
	const [{createMetrics}, {serveMetrics}] = await Promise.all([import('./metrics.ts'), import('./metrics-server.ts')]);
	const metrics = createMetrics();
	return {...metrics, ...await serveMetrics(metrics, at)};
};
