import swagger from '@fastify/swagger';
import {type FastifyInstance} from 'fastify';
import {apiKeyHeader, descriptionPath} from '../../interface/endpoints.ts';

/** Generates the OpenAPI document from the schemas of the routes that are added after it. */
export const describeRoutes = async (app: FastifyInstance): Promise<void> => {
	await app.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: {
				title: 'Switchboard',
				description: 'Agents, abilities and installed abilities. Every path also works without its trailing slash.',
				version: '1',
				license: {name: 'MIT', identifier: 'MIT'},
			},
			// Relative to the address of the document.
			servers: [{url: '/'}],
			components: {
				securitySchemes: {
					apiKey: {type: 'apiKey', in: 'header', name: apiKeyHeader.toUpperCase()},
				},
			},
		},
	});
};

/** Serves the document, without a key: it contains no data of an account. */
export const addOpenApiDocument = (app: FastifyInstance): void => {
	app.get(descriptionPath, {schema: {hide: true}}, async () => app.swagger());
};
