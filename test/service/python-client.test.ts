import {assert, test} from '../helpers/node.ts';
import {execFile} from 'node:child_process';
import {startTestService} from './running-service.ts';

/*
A stand-in for the Python client of the service that this interface comes from, as `docs/interface.md` describes it, with nothing but
Python's standard library: it waits for the first final turn (or for ten seconds in which nothing comes), says the phrase, and takes the
next final turn as the answer, or an error.
*/
const client = String.raw`
import base64, json, os, socket, struct, sys, urllib.parse

address, key, agent, phrase = sys.argv[1:]
place = urllib.parse.urlsplit(address)
line = socket.create_connection((place.hostname, place.port), 30)
line.sendall('\r\n'.join([
    f'GET /websocket/voice-stream/{key}/{agent} HTTP/1.1', f'Host: {place.netloc}', 'Upgrade: websocket', 'Connection: Upgrade',
    'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: ' + base64.b64encode(os.urandom(16)).decode(),
    'Origin: https://app.openhome.com', 'User-Agent: Mozilla/5.0', '', '']).encode())
stream = line.makefile('rb')
assert b' 101 ' in stream.readline()
while stream.readline() != b'\r\n':
    pass

def send(opcode, body):
    mask = os.urandom(4)
    length = bytes([0x80 | len(body)]) if len(body) < 126 else struct.pack('>BH', 0xFE, len(body))
    line.sendall(bytes([0x80 | opcode]) + length + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(body)))

def say(kind, data):
    send(1, json.dumps({'type': kind, 'data': data}).encode())

def receive():
    while True:
        first, length = stream.read(2)
        if length > 125:
            length = struct.unpack('>H' if length == 126 else '>Q', stream.read(2 if length == 126 else 8))[0]
        body = stream.read(length)
        if first == 0x81:
            return json.loads(body)
        if first == 0x89:
            send(10, body)
        if first == 0x88:
            sys.exit('closed')

said = False
say('ping', None)
line.settimeout(10)
while True:
    try:
        frame = receive()
    except TimeoutError:
        frame = {}
    kind, data = frame.get('type'), frame.get('data')
    if kind == 'audio':
        say('ack', 'audio-received')
    if kind == 'error-event':
        sys.exit(data['message'])
    if not said and (not frame or (kind == 'message' and data['role'] == 'assistant' and data['final'])):
        said = True
        print('greeting:', data['content'] if frame else None)
        say('transcribed', phrase)
    elif kind == 'message' and data['role'] == 'assistant' and data['final'] and data['content']:
        print('answer:', data['content'])
        send(8, struct.pack('>H', 1000))
        break
`;

/** @returns what it prints, or undefined if it cannot be run. */
const run = async (program: string, ...words: readonly string[]): Promise<string | undefined> =>
	new Promise(resolve => {
		execFile('python3', ['-c', program, ...words], {timeout: 60_000}, (error, stdout, stderr) =>
			resolve(error !== null && stderr === '' ? undefined : stdout + stderr),
		);
	});

const hasPython = (await run('import sys; sys.exit(sys.version_info < (3, 10))')) !== undefined;

test('the Python client is greeted, says its phrase and gets the answer, of an ability, of none and of a refusal', {
	skip: !hasPython && 'Python 3.10 is not installed',
}, async () => {
	await using service = await startTestService({limits: {greetingMilliseconds: 1}});
	await using readOnly = await startTestService({dataFolder: service.dataFolder, isReadOnly: true, limits: {greetingMilliseconds: 1}});
	const call = async (phrase: string, {baseAddress, key} = service): Promise<string | undefined> =>
		run(client, baseAddress, key, '0', phrase);

	assert.equal(
		await call('good night'),
		'greeting: This is Hearth.\nanswer: This would start goodnight (skill). Abilities are not run here.\n',
	);
	assert.equal(await call('what shall I drink'), 'greeting: This is Hearth.\nanswer: No ability has this phrase.\n');
	assert.equal(
		await call('good night', readOnly),
		'greeting: This is Hearth.\nIt was started with --read-only, so nothing can be said here.\n',
	);
});
