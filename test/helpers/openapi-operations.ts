/** What a JSON schema of the document says, as far as hostile values need it. */
export type Schema = {
	readonly type?: string | readonly string[];
	readonly format?: string;
	readonly enum?: readonly string[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly items?: Schema;
};

/** One way to call an operation. */
export type DocumentedOperation = {
	readonly method: string;
	/** With `{parameters}`. */
	readonly path: string;
	/** True if the key travels in the body. */
	readonly isKeyInBody: boolean;
	/** The schema of the body by content type; empty if the operation takes none. */
	readonly bodies: Readonly<Record<string, Schema>>;
};

type Described = {
	readonly security?: readonly unknown[];
	readonly requestBody?: {readonly content: Readonly<Record<string, {readonly schema: Schema}>>};
};

type Document = {readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>};

/** Every operation that a service describes in its own OpenAPI document. */
export async function readOperations(baseAddress: string): Promise<readonly DocumentedOperation[]> {
	const response = await fetch(`${baseAddress}/openapi.json`);
	const {paths} = (await response.json()) as Document;
	return Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, {security, requestBody}]) => ({
			method: method.toUpperCase(),
			path,
			isKeyInBody: security?.length === 0,
			bodies: Object.fromEntries(Object.entries(requestBody?.content ?? {}).map(([type, {schema}]) => [type, schema])),
		})),
	);
}
