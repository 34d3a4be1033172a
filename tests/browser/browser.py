"""A headless Chromium, driven over its debugging pipe.

Nothing but the standard library: messages are JSON ended by a zero byte
(https://chromedevtools.github.io/devtools-protocol), commands on the browser's
descriptor 3, answers and events on 4.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
PATIENCE_S = 600
# What it says of a page that is being left, and of one that is not there yet.
GONE = ("navigated or closed", "Cannot find default execution context",
        "Execution context was destroyed")


# Each box of a chart's paths, and what is said when the pointer is on it.
PIECES = r"""[...document.querySelectorAll('%s [aria-description="%s"]')].flatMap(
  group => [...group.querySelectorAll('path')].flatMap(path =>
    [...path.getAttribute('d').matchAll(
      /M([-\d.e]+) ([-\d.e]+)H([-\d.e]+)V([-\d.e]+)H\1Z/g)].map(box => {
    const [x1, y1, x2, y2] = box.slice(1).map(Number);
    const at = new DOMPoint((x1 + x2) / 2, (y1 + y2) / 2).matrixTransform(
      path.getScreenCTM());
    path.dispatchEvent(new PointerEvent('pointermove', {bubbles: true,
      clientX: at.x, clientY: at.y}));
    return {tip: group.querySelector('title').textContent, x: x1, y: y1,
            width: x2 - x1, height: y2 - y1,
            opacity: +path.getAttribute('fill-opacity')};
  })))"""


class NavigationError(RuntimeError):
    """The page went away while it was asked."""


class Browser:
    """One page. errors: what it threw or logged as an error; asked: the
    addresses it asked for; received: bytes of each answer, headers and all;
    unanswered: the requests that wait for one."""

    def __init__(self, width=1280, height=1180):
        binary = next(filter(None, map(shutil.which, NAMES)), None)
        if binary is None:
            raise SystemExit("no " + " or ".join(NAMES))
        self.errors, self.asked, self.received = [], [], {}
        self.unanswered = set()
        self._folder = tempfile.TemporaryDirectory(
            ignore_cleanup_errors=True)
        commands, self._to = os.pipe()
        self._from, answers = os.pipe()
        self._process = subprocess.Popen(
            ["sh", "-c", 'exec "$@" 3<&%d 4>&%d' % (commands, answers), "sh",
             binary, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--hide-scrollbars", "--user-data-dir=" + self._folder.name],
            pass_fds=(commands, answers), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self._buffer, self._number, self._session = b"", 0, None
        target = self.tell("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.tell("Target.attachToTarget", targetId=target,
                                  flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.tell(domain + ".enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Its processes end by themselves, with their files closed.
        self.tell("Browser.close")
        self._process.wait(PATIENCE_S)
        os.close(self._to)
        os.close(self._from)
        self._folder.cleanup()

    def tell(self, method, **params):
        """A command's result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next(PATIENCE_S)
            if answer.get("id") != self._number:
                continue
            if any(gone in str(answer.get("error")) for gone in GONE):
                raise NavigationError(answer["error"])
            if "error" in answer:
                raise RuntimeError("%s: %s" % (method, answer["error"]))
            return answer["result"]

    def _next(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self._buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._from], [], [], left)[0]:
                raise TimeoutError("the browser says nothing")
            more = os.read(self._from, 1 << 16)
            if not more:
                raise RuntimeError("the browser ended")
            self._buffer += more
        text, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(text)
        self._note(message.get("method"), message.get("params"))
        return message

    def _note(self, event, params):
        if event == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(params["exceptionDetails"]))
        elif event == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"] + " " +
                               params["entry"].get("url", ""))
        elif event == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])
            self.unanswered.add(params["requestId"])
        elif event == "Network.loadingFinished":
            self.received[params["requestId"]] = params["encodedDataLength"]
            self.unanswered.discard(params["requestId"])
        elif event == "Network.loadingFailed":
            self.unanswered.discard(params["requestId"])

    def resize(self, width, height):
        self.tell("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)

    def open(self, address):
        # A new fragment alone would not load it again.
        self.tell("Page.navigate", url="about:blank")
        self.tell("Page.navigate", url=address)
        self.wait_for("location.href != 'about:blank' && "
                      "document.readyState == 'complete'")

    def value(self, expression, draws=True):
        """What the expression is in the page; draws: with the charts that it
        would draw a moment later."""
        if draws:
            self.value("typeof drawDeferred == 'function' && drawDeferred()",
                       draws=False)
        answer = self.tell("Runtime.evaluate", expression=expression,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError("%s: %s" % (expression,
                                           answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_for(self, expression, ask=lambda: None):
        """Until the expression is true in the page; ask: is done before each
        look, for what a redraw in between takes away."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                ask()
                if self.value(expression):
                    return
            except NavigationError:
                pass  # the look fell between two pages
            if time.monotonic() > end:
                raise SystemExit(
                    "never true: %s\nthe mouse: %s\nthe page says: %s" % (
                        expression, self.value("window.mouse?.join('\\n')"),
                        self.value("document.body?.innerText")))
            time.sleep(0.1)

    def pieces(self, chart, kind):
        """The boxes of a kind that a chart is made of: tip, x, y, width, height,
        opacity."""
        return self.value(PIECES % (chart, kind))

    def press(self, name):
        """A key, on what has the focus."""
        codes = {"ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "Home": 36,
                 "+": 187, "-": 189}
        text = {"Enter": "\r", "+": "+", "-": "-"}.get(name, "")
        for kind in ("keyDown", "keyUp"):
            self.tell("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      windowsVirtualKeyCode=codes[name],
                      text=text if kind == "keyDown" else "")

    def click(self, selector, between=None, share=0.5):
        """The mouse, on the element's middle, or so far along it; between: what
        happens in the page while the button is down."""
        # An answer that comes in now would move it from under the pointer.
        x, y = self.value("""(e => {
          if (!window.mouse) {
            window.mouse = [];
            for (const name of ['pointerdown', 'pointerup', 'click']) {
              addEventListener(name, e => window.mouse.push(
                `${name} ${e.clientX},${e.clientY} of ${scrollY} on ` +
                e.target.cloneNode().outerHTML), true);
            }
          }
          window.mouse.push('to click ' + e.outerHTML);
          if (typeof hold == 'function') hold();
          e.scrollIntoView({block: 'center'});
          const box = e.getBoundingClientRect(), knob = 8;
          return [box.x + knob + (box.width - 2 * knob) * %r,
                  box.y + box.height / 2];
        })(document.querySelector(%s))""" % (share, json.dumps(selector)))
        mouse = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.tell("Input.dispatchMouseEvent", type="mousePressed", **mouse)
        if between:
            self.value(between)
        self.tell("Input.dispatchMouseEvent", type="mouseReleased", **mouse)

    def choose_file(self, selector, name):
        """As somebody does who is asked for one."""
        document = self.tell("DOM.getDocument")["root"]["nodeId"]
        place = self.tell("DOM.querySelector", nodeId=document,
                          selector=selector)["nodeId"]
        self.tell("DOM.setFileInputFiles", files=[os.path.abspath(name)],
                  nodeId=place)

    def check_access(self, what):
        """Ends where axe-core, which the build fetches with the charts, finds
        the page hard to use for somebody; whether it was there to ask."""
        axe = os.environ["RANKSIGHT_BUILD"] + "/charts/axe.min.js"
        if not os.path.exists(axe):
            return False
        with open(axe, encoding="utf-8") as script:
            self.value(script.read() + ";1")
        self.value("""window.violations = null,
          axe.run(document, {resultTypes: ['violations']}).then(r => {
            violations = r.violations.map(v => v.id + ', ' + v.help + ': ' +
              v.nodes.map(n => n.html.slice(0, 120)).join(' and '));
          }), 1""")
        self.wait_for("window.violations != null")
        found = self.value("violations")
        if found:
            raise SystemExit("%s: axe finds %s" % (what, "\n".join(found)))
        return True

    def picture(self, file, clip=None):
        """Writes a PNG of what is seen. clip: a selector of the element."""
        more = {}
        if clip:
            box = self.value(
                "(b => [b.x, b.y, b.width, b.height])(document.querySelector("
                "%s).getBoundingClientRect())" % json.dumps(clip))
            more["clip"] = dict(zip(("x", "y", "width", "height"), box),
                                scale=1)
        data = self.tell("Page.captureScreenshot", format="png", **more)
        with open(file, "wb") as out:
            out.write(base64.b64decode(data["data"]))
