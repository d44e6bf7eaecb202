import { emptyOnFailure } from '../../../../src/lint/rules/emptyOnFailure.ts';
import { testRule, ts, v1 } from './ruleTable.ts';

testRule(
  emptyOnFailure,
  [
    { name: 'nothing where nothing failed', path: 'a.py', text: v1('return []') },
    {
      name: 'an error that is about a thing that is not there',
      path: 'a.py',
      text: v1('try:\n    return books[x]\nexcept KeyError:\n    return None'),
    },
    {
      name: 'an error that is looked at first',
      path: 'a.py',
      text: v1(
        'try:\n    return get(x)\nexcept Exception as e:\n    if e.status == 404:\n        return None\n    raise',
      ),
    },
    {
      name: 'an error that is raised again',
      path: 'a.py',
      text: v1('try:\n    return get(x)\nexcept Exception:\n    log.error("no")\n    raise'),
    },
    {
      name: 'the same call tried again',
      path: 'a.py',
      text: v1(
        'try:\n    return get(x)\nexcept Exception:\n    try:\n        return []\n    except Exception as e:\n        raise ToolError(str(e))',
      ),
    },
    {
      name: 'a helper that says whether there is something',
      path: 'a.py',
      text: v1(
        'found = look(x)\nif found is None:\n    raise ValueError("x is not there")\nreturn found\n\ndef look(x):\n    try:\n        return get(x)\n    except Exception:\n        return None',
      ),
    },
    {
      name: 'a helper whose value is not in the answer',
      path: 'a.py',
      text: v1(
        'rows = load()\ncount(rows)\nreturn "ok"\n\ndef load():\n    try:\n        return read()\n    except Exception:\n        return []',
      ),
    },
    {
      name: 'a step that may fail without harm',
      path: 'a.py',
      text: v1('try:\n    warm_up()\nexcept Exception:\n    pass\nreturn get(x)'),
    },
    {
      name: 'a result with the flag',
      path: 'a.ts',
      text: ts('try {\n  return await get(x);\n} catch {\n  return { isError: true, content: [] };\n}'),
    },
    {
      name: 'a prompt',
      path: 'a.py',
      text: 'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("a")\n@mcp.prompt()\ndef f(x):\n    try:\n        return get(x)\n    except Exception:\n        return ""\n',
    },
  ],
  [
    {
      name: 'a list',
      path: 'a.py',
      text: v1('try:\n    return find(x)\nexcept Exception:\n    «return []»'),
      message: 'returned',
      confidence: 'high',
    },
    {
      name: 'None, by a bare return',
      path: 'a.py',
      text: v1('try:\n    return find(x)\nexcept Exception as e:\n    print(e)\n    «return»'),
      message: 'returned',
      confidence: 'high',
    },
    {
      name: 'an object of which every part is empty',
      path: 'a.py',
      text: v1('try:\n    return find(x)\nexcept Exception:\n    «return {"items": [], "count": 0}»'),
      message: 'returned',
      confidence: 'high',
    },
    {
      name: 'an error of one kind',
      path: 'a.py',
      text: v1('try:\n    return find(x)\nexcept OSError:\n    «return ""»'),
      message: 'returned',
      confidence: 'medium',
    },
    {
      name: 'an empty list as text',
      path: 'a.ts',
      text: ts('try {\n  return await find(x);\n} catch {\n  «return { content: [{ type: "text", text: "[]" }] };»\n}'),
      message: 'returned',
      confidence: 'high',
    },
    {
      name: 'a result without content',
      path: 'a.ts',
      text: ts('try {\n  return await find(x);\n} catch (e) {\n  console.error(e);\n  «return { content: [] };»\n}'),
      message: 'returned',
      confidence: 'high',
    },
    {
      name: 'a helper whose list is in the answer',
      path: 'a.py',
      text: v1(
        'rows = load(x)\nreturn "\\n".join(rows)\n\ndef load(x):\n    try:\n        return read(x)\n    except Exception:\n        «return []»',
      ),
      message: 'helper',
      confidence: 'medium',
    },
    {
      name: 'the end of the tool',
      path: 'a.py',
      text: v1('try:\n    return find(x)\nexcept Exception as e:\n    «log.error(e)»'),
      message: 'fallsThrough',
      confidence: 'medium',
    },
    {
      name: 'nothing at all in the except',
      path: 'a.py',
      text: v1('try:\n    return find(x)\nexcept Exception:\n    «pass»'),
      message: 'fallsThrough',
      confidence: 'medium',
    },
    {
      name: 'a variable that stays empty',
      path: 'a.ts',
      text: ts(
        'let found = [];\ntry {\n  found = await find(x);\n} catch (e) {\n  «console.error(e)»;\n}\nreturn found;',
      ),
      message: 'fallsThrough',
      confidence: 'medium',
    },
  ],
);
