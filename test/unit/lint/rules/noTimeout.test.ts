import { noTimeout } from '../../../../src/lint/rules/noTimeout.ts';
import { testRule, ts, v1 } from './ruleTable.ts';

const py = (body: string) =>
  v1(body).replace(
    'import FastMCP\n',
    'import FastMCP\nimport httpx\nimport requests\nimport subprocess\nimport urllib.request\n',
  );
const node = (body: string) =>
  `import axios from "axios";\nimport { exec, execSync } from "node:child_process";\nimport { promisify } from "node:util";\nconst run = promisify(exec);\n${ts(body)}`;

testRule(
  noTimeout,
  [
    { name: 'a timeout', path: 'a.py', text: py('return requests.get(x, timeout=10).json()') },
    { name: 'options that may have one', path: 'a.py', text: py('return requests.get(x, **options).json()') },
    { name: 'a library that has one by itself', path: 'a.py', text: py('return httpx.get(x).json()') },
    { name: 'another get', path: 'a.py', text: py('return cache.get(x)') },
    {
      name: 'a wait with an end around it',
      path: 'a.py',
      text: py('return await asyncio.wait_for(proc.communicate(), 5)'),
    },
    {
      name: 'a call outside of tools',
      path: 'a.py',
      text: `${py('return x')}\ntext = requests.get("http://a").text\n`,
    },
    { name: 'a signal', path: 'a.ts', text: node('return fetch(x, { signal: AbortSignal.timeout(1000) });') },
    { name: 'options from elsewhere', path: 'a.ts', text: node('return fetch(x, options);') },
    { name: 'a race', path: 'a.ts', text: node('return Promise.race([fetch(x), later(1000)]);') },
    { name: 'a timeout for a process', path: 'a.ts', text: node('return run(x, { timeout: 1000 });') },
    { name: 'a timeout for axios', path: 'a.ts', text: node('return axios.post(x, body, { timeout: 1000 });') },
  ],
  [
    {
      name: 'requests',
      path: 'a.py',
      text: py('return «requests.get»(x).json()'),
      message: 'network',
      confidence: 'high',
    },
    {
      name: 'urlopen',
      path: 'a.py',
      text: py('return «urllib.request.urlopen»(x).read()'),
      message: 'network',
      confidence: 'high',
    },
    {
      name: 'a timeout that is off',
      path: 'a.py',
      text: py('return «httpx.get»(x, timeout=None).json()'),
      message: 'network',
      confidence: 'high',
    },
    {
      name: 'a process',
      path: 'a.py',
      text: py('return «subprocess.run»(["ls", x])'),
      message: 'process',
      confidence: 'high',
    },
    {
      name: 'a process that is waited for',
      path: 'a.py',
      text: py('proc = start(x)\nout, _ = await «proc.communicate»()\nreturn out'),
      message: 'process',
      confidence: 'high',
    },
    {
      name: 'what a tool calls',
      path: 'a.py',
      text: `${py('return load(x)')}\ndef load(x):\n    return «requests.get»(x)\n`,
      message: 'network',
      confidence: 'medium',
    },
    {
      name: 'fetch',
      path: 'a.ts',
      text: node('return «fetch»(x, { method: "POST" });'),
      message: 'network',
      confidence: 'high',
    },
    { name: 'axios', path: 'a.ts', text: node('return «axios.get»(x);'), message: 'network', confidence: 'high' },
    { name: 'exec', path: 'a.ts', text: node('return «run»(x);'), message: 'process', confidence: 'high' },
    {
      name: 'execSync',
      path: 'a.ts',
      text: node('return «execSync»("ls", { cwd: x });'),
      message: 'process',
      confidence: 'high',
    },
  ],
);
