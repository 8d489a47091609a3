import {type Answer, htmlAnswer, jsonAnswer} from '../answers.ts';

export type ErrorStyle = 'detail' | 'error';

/** The two shapes in which errors were seen. */
export function errorAnswer(style: ErrorStyle, status: number, message: string): Answer {
	return jsonAnswer(style === 'detail' ? {detail: message} : {error: {code: `error_${status}`, message}}, status);
}

/** A framework's whole debug page, as a wrong path was seen to be answered. */
export function debugPage(method: string, path: string): Answer {
	return htmlAnswer(
		`<!DOCTYPE html>
<html lang="en">
<head>
  <meta http-equiv="content-type" content="text/html; charset=utf-8">
  <title>Page not found at ${path}</title>
  <style>html * { padding:0; margin:0; } body { font:small sans-serif; background:#eee; color:#000; }</style>
</head>
<body>
  <div id="summary">
    <h1>Page not found <span>(404)</span></h1>
    <table class="meta"><tr><th>Request Method:</th><td>${method}</td></tr></table>
  </div>
  <div id="info"><ol>${'<li>api/capabilities/ get-all-capabilities/</li>'.repeat(40)}</ol></div>
</body>
</html>
`,
		404,
	);
}
