import swagger from '@fastify/swagger';
import {type FastifyInstance} from 'fastify';
import {apiKeyHeader} from '../../interface/endpoints.ts';

/** The path of the document is not an operation of the interface: it tells about them. */
const documentPath = '/openapi.json';

/** Makes the OpenAPI document from the schemas of the routes that are added after it. */
export const describeRoutes = async (app: FastifyInstance): Promise<void> => {
	await app.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: {
				title: 'Switchboard',
				description: 'Agents, abilities and installed abilities. Every path is also taken without its last slash.',
				version: '1',
				license: {name: 'MIT', identifier: 'MIT'},
			},
			// Relative: to wherever the document was read from.
			servers: [{url: '/'}],
			components: {
				securitySchemes: {
					apiKey: {type: 'apiKey', in: 'header', name: apiKeyHeader.toUpperCase()},
				},
			},
		},
	});
};

/** Serves the document, to anybody: it holds nothing of an account. */
export const addOpenApiDocument = (app: FastifyInstance): void => {
	app.get(documentPath, {schema: {hide: true}}, async () => app.swagger());
};
