import { hiddenPartial } from '../../../../src/lint/rules/hiddenPartial.ts';
import { testRule, ts, v1 } from './ruleTable.ts';

const loop = (caught: string, answer: string) =>
  v1(`out = []\nfor i in x:\n    try:\n        out.append(load(i))\n    ${caught}\n${answer}`);

testRule(
  hiddenPartial,
  [
    {
      name: 'failures that are kept',
      path: 'a.py',
      text: loop('except Exception as e:\n        failed.append(i)', 'return {"books": out, "failed": failed}'),
    },
    {
      name: 'failures that are counted',
      path: 'a.py',
      text: loop('except Exception as e:\n        skipped += 1', 'return f"{len(out)} read, {skipped} not"'),
    },
    {
      name: 'an answer that names what was asked for',
      path: 'a.py',
      text: loop('except Exception:\n        pass', 'return f"{len(out)} of {len(x)} read"'),
    },
    { name: 'an error that ends the loop', path: 'a.py', text: loop('except Exception:\n        raise', 'return out') },
    { name: 'items that are not there', path: 'a.py', text: loop('except KeyError:\n        continue', 'return out') },
    {
      name: 'attempts, not items',
      path: 'a.py',
      text: v1(
        'for attempt in range(3):\n    try:\n        return load(x)\n    except Exception:\n        log.info("again")',
      ),
    },
    {
      name: 'alternatives, of which one is enough',
      path: 'a.py',
      text: v1(
        'out = []\nfor enc in encodings:\n    try:\n        out.append(read(x, enc))\n        break\n    except Exception:\n        continue\nreturn out',
      ),
    },
    {
      name: 'items that are kept without a detail',
      path: 'a.py',
      text: v1(
        'out = []\nfor i in x:\n    try:\n        out.append(date(i))\n    except Exception:\n        pass\n    out.append(i)\nreturn out',
      ),
    },
    {
      name: 'what is collected and not given back',
      path: 'a.py',
      text: loop('except Exception:\n        pass', 'save(out)\nreturn "done"'),
    },
    {
      name: 'the state of each item, in a word',
      path: 'a.py',
      text: v1(
        'out = {}\nfor i in x:\n    try:\n        drop(i)\n        out[i] = "deleted"\n    except OSError as e:\n        out[i] = f"Error: {e}"\nreturn out',
      ),
    },
    {
      name: 'the state of each item, in a field',
      path: 'a.py',
      text: v1(
        'out = {}\nfor i in x:\n    try:\n        out[i] = load(i)\n    except OSError as e:\n        out[i] = {"error": str(e)}\nreturn out',
      ),
    },
  ],
  [
    {
      name: 'errors where the content of items is',
      path: 'a.py',
      text: v1(
        'out = {}\nfor i in x:\n    try:\n        out[i] = load(i)\n    except OSError as e:\n        «out[i] = f"Error reading: {e}"»\nreturn out',
      ),
      message: 'asText',
      confidence: 'medium',
    },
    {
      name: 'errors among contents, in TypeScript',
      path: 'a.ts',
      text: ts(
        'const out = {};\nfor (const id of x) {\n  try {\n    out[id] = await load(id);\n  } catch (e) {\n    «out[id] = "Error: " + e»;\n  }\n}\nreturn { content: [{ type: "text", text: JSON.stringify(out) }] };',
      ),
      message: 'asText',
      confidence: 'medium',
    },
    {
      name: 'items that are logged and dropped',
      path: 'a.py',
      text: loop('except Exception as e:\n        «log.error(e)»\n        continue', 'return {"books": out}'),
      message: 'swallowed',
      confidence: 'high',
    },
    {
      name: 'items that are dropped without a word',
      path: 'a.py',
      text: loop('except Exception:\n        «pass»', 'return out'),
      message: 'swallowed',
      confidence: 'high',
    },
    {
      name: 'an object that is filled',
      path: 'a.ts',
      text: ts(
        'const out = {};\nfor (const id of x) {\n  try {\n    out[id] = await load(id);\n  } catch (e) {\n    «console.error(e)»;\n  }\n}\nreturn { content: [{ type: "text", text: JSON.stringify(out) }] };',
      ),
      message: 'swallowed',
      confidence: 'high',
    },
    {
      name: 'a helper that drops them',
      path: 'a.py',
      text: v1(
        'return read_all(x)\n\ndef read_all(ids):\n    out = []\n    for i in ids:\n        try:\n            out.append(load(i))\n        except Exception:\n            «pass»\n    return out',
      ),
      message: 'swallowed',
      confidence: 'medium',
    },
    {
      name: 'failures of one kind',
      path: 'a.py',
      text: loop('except OSError:\n        «continue»', 'return out'),
      message: 'swallowed',
      confidence: 'medium',
    },
    {
      name: 'lines that cannot be read',
      path: 'a.py',
      text: loop('except ValueError:\n        «continue»', 'return out'),
      message: 'swallowed',
      confidence: 'low',
    },
  ],
);
